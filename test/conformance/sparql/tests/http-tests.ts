import { graphOf, likeness } from '../answers/answer.ts';
import { extensionOf, readAnswer } from '../answers/results.ts';
import type { Described } from '../manifests/described.ts';
import { localName } from '../manifests/described.ts';
import { readQuads, type SuiteFiles } from '../manifests/files.ts';
import type { ManifestTest } from '../manifests/manifest.ts';
import { failed, type Outcome, passed } from '../outcome.ts';

/** Path prefixes of the manifests, and the corresponding paths of the server. */
const places: readonly (readonly [RegExp, string])[] = [
  [/^\/sparql\/(?=\?|$)/, '/sparql'],
  [/^\/gsp(?=[/?]|$)/, '/store'],
];
const classes: Readonly<Record<string, string>> = {
  OK: '200',
  Created: '201',
  NoContent: '204',
  NotFound: '404',
};
const formats: Readonly<Record<string, readonly string[]>> = {
  boolean: ['.srx', '.srj'],
  tabular: ['.srx', '.srj', '.csv', '.tsv'],
  RDF: ['.rdf', '.ttl', '.nt'],
};
const NO_ORDER = { rows: false, variables: false };

/** `ProtocolTest` and `GraphStoreProtocolTest`: requests in order, with expected responses. */
export async function runHttpTest(files: SuiteFiles, url: string, test: ManifestTest): Promise<Outcome> {
  await loadGraphs(files, url, test.node);
  const variables = new Map<string, string>();
  const requests = test.node.one('mf:action')?.list('ht:requests') ?? [];
  for (const [at, request] of requests.entries()) {
    const wrong = await runRequest(url, request, variables);
    if (wrong !== undefined) return failed(test.name, `request ${at + 1}: ${wrong}`);
  }
  return requests.length > 0 ? passed(test.name) : failed(test.name, 'the manifest has no requests');
}

async function loadGraphs(files: SuiteFiles, url: string, test: Described): Promise<void> {
  for (const graph of test.all('ut:graphData')) {
    const name = encodeURIComponent(graph.one('rdfs:label')!.value);
    const headers = { 'Content-Type': 'application/n-triples' };
    const body = files.text(graph.one('ut:graph')!.value);
    const { ok } = await fetch(`${url}/context?graph=${name}`, { method: 'PUT', headers, body });
    if (!ok) throw new Error(`The data of ${name} could not be loaded.`);
  }
}

/** Returns what is wrong with the response, or undefined if it is right. */
async function runRequest(
  url: string,
  request: Described,
  variables: Map<string, string>,
): Promise<string | undefined> {
  const filled = (text: string) =>
    [...variables].reduce((all, [name, value]) => all.replaceAll(name, value), text);
  const body = request.one('ht:body')?.one('cnt:chars')?.value;
  const response = await fetch(url + serverPath(filled(request.one('ht:absolutePath')!.value)), {
    method: request.one('ht:methodName')!.value,
    headers: headersOf(request),
    // Sent as bytes, since a string body would get a media type.
    body: body === undefined ? null : Buffer.from(filled(body)),
  });
  const expected = request.one('ht:resp')!;
  const location = expected.one('mf:expectedLocation')?.value;
  if (location !== undefined) variables.set(location, response.headers.get('location') ?? '');
  return difference(expected, response, await response.text(), filled);
}

function serverPath(path: string): string {
  return places.reduce((all, [from, to]) => all.replace(from, to), path);
}

function headersOf(message: Described): [string, string][] {
  const pair = (header: Described) =>
    [header.one('ht:fieldName')!.value, header.one('ht:fieldValue')!.value] as [string, string];
  return message.list('ht:headers').map(pair);
}

function difference(
  expected: Described,
  response: Response,
  text: string,
  filled: (text: string) => string,
): string | undefined {
  const statuses = expected.all('mf:expectedStatus').map(({ value }) => statusPattern(localName(value)));
  if (!statuses.some((status) => status.test(String(response.status)))) {
    return `${response.status} instead of ${statuses.join(' or ')}: ${text}`;
  }
  const mediaType = response.headers.get('content-type') ?? '';
  const extension = extensionOf(mediaType);
  for (const [name, value] of headersOf(expected)) {
    const isType = name.toLowerCase() === 'content-type';
    const same = isType ? extension === extensionOf(value) : response.headers.get(name) === value;
    if (!same) return `${name}: ${response.headers.get(name)} instead of ${value}`;
  }
  const format = expected.one('mf:expectedFormat')?.value;
  if (format !== undefined && !formats[format]?.includes(extension)) return `${format} came as ${mediaType}`;
  const answer = expected.one('mf:expectedBoolean')?.value;
  if (answer !== undefined && !isBoolean(text, extension, answer)) return `not ${answer}: ${text}`;
  const graph = expected.one('ht:body')?.one('cnt:chars')?.value;
  return graph === undefined || isGraph(text, extension, filled(graph)) ? undefined : `came ${text}`;
}

/** `OK`, or `StatusCode2xx`. */
function statusPattern(name: string): RegExp {
  const [, first] = /^StatusCode(\d)xx$/.exec(name) ?? [];
  return new RegExp(first === undefined ? `^${classes[name] ?? name}$` : `^${first}..$`);
}

function isBoolean(text: string, extension: string, value: string): boolean {
  const answer = readAnswer(text, extension, 'urn:x:none');
  return answer.kind === 'boolean' && String(answer.value) === value;
}

function isGraph(text: string, extension: string, turtle: string): boolean {
  const base = 'http://www.example/';
  const wanted = graphOf(readQuads(turtle, '.ttl', base));
  return likeness(wanted, readAnswer(text, extension, base), NO_ORDER) === 'same';
}
