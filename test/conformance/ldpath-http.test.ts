/**
 * The reference's recorded results, over HTTP on a real server: the layers around the language
 * preserve them.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import { sharedServer } from '../support/shared-server.ts';
import {
  assertSameFields,
  type Case,
  casesByArea,
  differences,
  expectedFields,
  type Fields,
} from './vectors.ts';

/** The vectors without empty texts, which count as missing over HTTP (http-api G-14). */
const cases = [...casesByArea.values()]
  .flat()
  .filter(({ id, source }) => source !== '' && !differences.has(id));

describe('reference vectors over HTTP', () => {
  const server = sharedServer();

  for (const data of new Set(cases.map((one) => one.data))) {
    const sharing = cases.filter((candidate) => candidate.data === data);

    describe(`with the data of ${sharing[0]?.id}`, () => {
      before(() => putData(server.url, data));

      for (const one of sharing) {
        it(`${one.id} ${JSON.stringify(one.source).slice(0, 80)}`, () => check(server.url, one));
      }
    });
  }
});

async function check(url: string, one: Case): Promise<void> {
  const { error } = one.expect;
  if (error === 'parse') await assertRejected(url, one);
  else if (error === 'evaluation')
    assert.ok(await failsLeniently(url, one), 'neither an error nor a warning');
  else if (one.kind === 'parse') assert.equal((await debug(url, one)).status, 200);
  else assertSameFields(one, withoutLabels(await evaluate(url, one)), withoutLabels(wanted(one)));
}

async function assertRejected(url: string, one: Case): Promise<void> {
  const response = await request(url, one);
  assert.equal(response.status, 400);
  const problem = (await response.json()) as { code: string; line: number; column: number; source: string };
  assert.match(problem.code, /^(parse-error|unknown-prefix|unknown-function|bad-arguments)$/);
  assert.ok(problem.line >= 1 && problem.column >= 1);
  assert.equal(problem.source, one.kind === 'path' ? 'path' : 'program');
}

/** If the reference gives up, we reject the program or report the skipped values. */
async function failsLeniently(url: string, one: Case): Promise<boolean> {
  const program = one.kind === 'path' ? { ...one, source: `path = ${one.source} ;` } : one;
  const response = await debug(url, program);
  if (response.status !== 200) return true;
  const { results } = (await response.json()) as { results: Record<string, { skipped: unknown[] }> };
  return results[one.start]!.skipped.length > 0;
}

async function evaluate(url: string, one: Case): Promise<Fields> {
  const response = await request(url, one);
  const body = (await response.json()) as NodeObject[] | Fields;
  assert.equal(response.status, 200, JSON.stringify(body));
  return one.kind === 'path' ? { path: body as NodeObject[] } : (body as Fields);
}

function request(url: string, { kind, source, start }: Case): Promise<Response> {
  const uri = encodeURIComponent(start);
  if (kind === 'path') return fetch(`${url}/ldpath/path?uri=${uri}&path=${encodeURIComponent(source)}`);
  return fetch(`${url}/ldpath/program?uri=${uri}`, { method: 'POST', body: source });
}

function debug(url: string, { source, start }: Case): Promise<Response> {
  const target = `${url}/ldpath/debug?details&context=${encodeURIComponent(start)}`;
  return fetch(target, { method: 'POST', body: source });
}

/** Over HTTP a path returns each node once (http-api 4.2). */
function wanted(one: Case): Fields {
  const expected = expectedFields(one);
  if (one.kind !== 'path') return expected;
  const distinct = new Map(expected['path']!.map((node) => [JSON.stringify(node), node]));
  return { path: [...distinct.values()] };
}

/** The store assigns its own labels to blank nodes. */
function withoutLabels(fields: Fields): Fields {
  const anonymous = (node: NodeObject) => (node.type === 'bnode' ? { ...node, value: '' } : node);
  return Object.fromEntries(Object.entries(fields).map(([name, nodes]) => [name, nodes.map(anonymous)]));
}

async function putData(url: string, body: string): Promise<void> {
  const response = await fetch(`${url}/context?graph=urn:x:vectors`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/n-triples' },
    body,
  });
  assert.ok(response.ok, await response.text());
}
