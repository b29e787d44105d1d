import { extname } from 'node:path';
import { differenceText, likeness } from '../answers/answer.ts';
import { extensionOf, mediaTypeOf, readAnswer } from '../answers/results.ts';
import { type Endpoint, namesDataset, type Reply, type TestData } from '../endpoints/endpoint.ts';
import type { Described } from '../manifests/described.ts';
import type { SuiteFiles } from '../manifests/files.ts';
import type { ManifestTest } from '../manifests/manifest.ts';
import { failed, type Outcome, passed } from '../outcome.ts';

/** `QueryEvaluationTest` and `CSVResultFormatTest`. */
export async function runQueryTest(
  files: SuiteFiles,
  endpoint: Endpoint,
  test: ManifestTest,
): Promise<Outcome> {
  const action = test.node.one('mf:action')!;
  const query = action.one('qt:query')!.value;
  const text = files.text(query);
  await endpoint.fill(dataOf(files, action, text));
  const expected = test.node.one('mf:result')!.value;
  const extension = extname(expected);
  const wanted = readAnswer(files.text(expected), extension, expected);
  const asked = wanted.kind !== 'graph' && ['.ttl', '.rdf'].includes(extension) ? '.srx' : extension;
  const reply = await endpoint.query(withBase(text, query), mediaTypeOf(asked));
  if (reply.status !== 200) return failed(test.name, `${reply.status}: ${reply.body}`);
  if (extensionOf(reply.mediaType) !== asked) return failed(test.name, `came as ${reply.mediaType}`);
  const answer = readAnswer(reply.body, asked, query);
  const isDelimited = asked === '.csv' || asked === '.tsv';
  const alike = likeness(wanted, answer, { rows: /\bORDER\s+BY\b/i.test(text), variables: isDelimited });
  if (alike !== 'different') return { ...passed(test.name), status: alike === 'same' ? 'pass' : 'value' };
  return failed(test.name, differenceText(wanted, answer));
}

/** A query with FROM also finds its data by their own name. */
function dataOf(files: SuiteFiles, action: Described, text: string): TestData {
  const data = action.all('qt:data').map(({ value }) => value);
  const named = [
    ...action.all('qt:graphData').map(({ value }) => value),
    ...(namesDataset(text) ? data : []),
  ];
  return {
    defaultGraph: data.flatMap((iri) => files.quads(iri)),
    namedGraphs: new Map(named.map((iri) => [iri, files.quads(iri)])),
  };
}

/** Relative IRIs of a text are resolved against the URL where the suite is published. */
export function withBase(text: string, iri: string): string {
  return `BASE <${iri}>\n${text}`;
}

/** Error codes for valid texts that need an unsupported feature or a missing graph. */
const understood = ['unsupported-sparql', 'graph-not-found'];

/** Syntax tests of queries and updates: whether the text is accepted or rejected as invalid. */
export async function runSyntaxTest(
  files: SuiteFiles,
  endpoint: Endpoint,
  test: ManifestTest,
): Promise<Outcome> {
  const iri = test.node.one('mf:action')!.value;
  const text = withBase(files.text(iri), iri);
  await endpoint.fill({ defaultGraph: [], namedGraphs: new Map() });
  const reply = await (iri.endsWith('.ru') ? endpoint.update(text) : queryOf(endpoint, text));
  const isRefused = reply.status === 400 && codeOf(reply) === 'parse-error';
  const isTaken = reply.status < 300 || understood.includes(codeOf(reply));
  if (test.kind.startsWith('Negative') ? isRefused : isTaken) return passed(test.name);
  return failed(test.name, `${reply.status}: ${reply.body}`);
}

/** Accepts results of all forms. */
function queryOf(endpoint: Endpoint, text: string): Promise<Reply> {
  const isGraph = /\b(CONSTRUCT|DESCRIBE)\b/i.test(text);
  return endpoint.query(text, isGraph ? 'text/turtle' : 'application/sparql-results+json');
}

function codeOf({ mediaType, body }: Reply): string {
  return mediaType.includes('json') ? ((JSON.parse(body) as { code?: string }).code ?? '') : '';
}
