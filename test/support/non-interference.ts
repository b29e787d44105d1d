import assert from 'node:assert/strict';
import { login } from './graph-rules.ts';
import { type RestrictedRequest, restrictedRequests } from './restricted-requests.ts';

export const rules = [
  'read user:anna urn:x:open* /ldp',
  'write user:anna urn:x:own/* /ldp/anna/*',
  'write user:root *',
];
export const users = { anna: 'write', root: 'write' } as const;

/** Returns numbers from 0 to `below` (exclusive), the same ones for the same seed. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const objects = [
  ...['<urn:s1>', '<urn:s2>', '<urn:o>', '1', '"01"^^<http://www.w3.org/2001/XMLSchema#integer>', '"x"'],
  ...['"colour"@en', '"colour"@en-GB', '"1"', '[ <urn:p1> <urn:s1> ]', '2.50'],
];

/** No visible graph has them, whatever the numbers are. */
const SECRETS = '<urn:s1> <urn:p1> "secret"@de, "secret", 77, <urn:secret>';

/** Returns triples that visible and hidden graphs may share. */
function triples(random: Random): string {
  const few = Array.from({ length: 1 + random(6) }, () => {
    return `<urn:s${1 + random(4)}> <urn:p${1 + random(3)}> ${objects[random(objects.length)]} .`;
  });
  return few.join(' ');
}

/** Fills graphs that the client reads. */
export async function writeVisible(url: string, random: Random): Promise<void> {
  for (const graph of ['open/1', 'open/2', 'own/1', 'own/2']) {
    await write(
      url,
      `CLEAR SILENT GRAPH <urn:x:${graph}>; INSERT DATA { GRAPH <urn:x:${graph}> { ${triples(random)} } }`,
    );
  }
}

/** Writes something to graphs that the client does not see. */
export async function writeHidden(url: string, random: Random): Promise<void> {
  const graph = () => `<urn:x:hidden/${1 + random(3)}>`;
  const writes = [
    () => `INSERT DATA { GRAPH ${graph()} { ${triples(random)} } }`,
    () => `INSERT DATA { GRAPH ${graph()} { ${triples(random)} } }`,
    () => `INSERT DATA { GRAPH ${graph()} { ${SECRETS} } }`,
    () => `INSERT { GRAPH ${graph()} { ?s ?p ?o } } WHERE { GRAPH <urn:x:open/1> { ?s ?p ?o } }`,
    () => `INSERT DATA { <urn:s${random(9)}> <urn:p${random(9)}> ${random(9)} }`,
    () => `DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { BIND (${graph()} AS ?g) GRAPH ?g { ?s ?p ?o } }`,
    () => `DROP SILENT GRAPH ${graph()}`,
    () => `CREATE SILENT GRAPH ${graph()}`,
  ];
  if (random(4) === 0) await writeHiddenResource(url, random);
  else await write(url, writes[random(writes.length)]!());
}

/** Creates, replaces or deletes a member of a container of which the client sees other members. */
async function writeHiddenResource(url: string, random: Random): Promise<void> {
  const target = `${url}/ldp/hidden-${1 + random(3)}`;
  const isThere = (await fetch(target, { method: 'HEAD', headers: login('root') })).status === 200;
  const isDeleted = isThere && random(2) === 0;
  const headers = { ...login('root'), 'If-Match': '*', 'Content-Type': 'text/turtle' };
  const body = `<> <urn:p1> <urn:s${random(9)}> .`;
  const response = isDeleted
    ? await fetch(target, { method: 'DELETE', headers })
    : await putResource(
        target,
        isThere ? headers : { ...login('root'), 'Content-Type': 'text/turtle' },
        body,
      );
  assert.ok(response.ok || response.status === 410, `${target}: ${response.status}`);
}

function putResource(target: string, headers: Record<string, string>, body: string): Promise<Response> {
  return fetch(target, { method: 'PUT', headers, body });
}

async function write(url: string, body: string): Promise<void> {
  const headers = { ...login('root'), 'Content-Type': 'application/sparql-update' };
  const response = await fetch(`${url}/sparql`, { method: 'POST', headers, body });
  assert.equal(response.status, 204, `${body}: ${await response.text()}`);
}

/** Returns a response as text, without times. */
async function answer(
  url: string,
  { method = 'GET', target, headers, body }: RestrictedRequest,
): Promise<string> {
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: { ...login('anna'), ...headers },
    ...(body !== undefined && { body }),
  });
  const fields = [...response.headers].filter(([name]) => name !== 'date' && name !== 'last-modified');
  const bytes = Buffer.from(await response.arrayBuffer()).toString('latin1');
  return [response.status, ...fields.map((field) => field.join(': ')), '', bytes].join('\n');
}

/** Sends each request of the table, and returns the responses as texts. */
export async function answers(url: string): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const request of restrictedRequests) all.set(nameOf(request), await answer(url, request));
  return all;
}

function nameOf({ method = 'GET', target, body = '' }: RestrictedRequest): string {
  return `${method} ${decodeURIComponent(target)} ${body}`;
}

/** Writes to hidden graphs, and checks that no response differs from those before. */
export async function checkRound(url: string, random: Random): Promise<void> {
  await writeVisible(url, random);
  const before = await answers(url);
  const writes = 1 + random(4);
  for (let done = 0; done < writes; done++) await writeHidden(url, random);
  for (const [name, after] of await answers(url)) assert.equal(after, before.get(name), name);
}
