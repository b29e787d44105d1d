import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const COUNT = 120_000;
const EX = 'http://example.org/';
const namespaces = { ex: EX };
/** Reaches every node of a cycle from every other one, which exceeds any time limit. */
const ENDLESS = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
/** No limit on memory is as low as what all results would take. */
const MOST_GROWTH = 150 * 1024 * 1024;

interface Line {
  readonly uri?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: string };
  readonly cursor?: string;
  readonly position?: string;
  readonly total?: number | null;
  readonly done?: boolean;
  readonly cancelled?: boolean;
  readonly count?: number;
  readonly errors?: number;
  readonly filtered?: number;
}

function things(from: number, to: number, type = 'ex:Thing'): string {
  const lines: string[] = [];
  for (let i = from; i < to; i++) {
    lines.push(`<${EX}${i}> a ${type} ; ex:n "${i}" ${i % 10 === 0 ? '; ex:tenth true ' : ''}.`);
  }
  return `@prefix ex: <${EX}> .\n_:blank a ex:Thing .\n${lines.join('\n')}`;
}

const cycle = Array.from(
  { length: 2000 },
  (_, i) => `<${EX}c${i}> <${EX}to> <${EX}c${(i + 1) % 2000}>, <${EX}c${(i * 7) % 2000}> .`,
).join('\n');

const uriOf = (i: number) => `${EX}${i}`;
const uris = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => uriOf(from + i));
const ofType = { type: `${EX}Thing` };

describe('POST /ldpath/batch with a set', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--evaluation-time', '1']);
  const put = async (graph: string, body: string) => {
    const headers = { 'Content-Type': 'text/turtle' };
    const response = await fetch(`${server.url}/context?graph=${graph}`, { method: 'PUT', headers, body });
    assert.ok(response.ok);
    return response.headers.get('pathpool-commit');
  };
  before(async () => {
    await put('urn:x:things', things(0, COUNT));
    await put('urn:x:cycle', cycle);
  });
  const post = (body: object) =>
    fetch(`${server.url}/ldpath/batch`, {
      method: 'POST',
      body: JSON.stringify({ path: 'ex:n', namespaces, ...body }),
    });
  const linesOf = async (response: Response) =>
    (await response.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  const all = async (body: object) => linesOf(await post(body));
  const found = (lines: readonly Line[]) => lines.flatMap(({ uri }) => uri ?? []);
  const taskOf = (link: string) => /<(.*)>/.exec(link)![1]!.replace(BASE, server.url);

  it('P-27: has a line for every instance of a class that is an IRI, in the order of the store on request', async () => {
    const commit = await put('urn:x:other', '<urn:x:a> <urn:x:b> "c" .');
    const lines = await all({ starts: ofType, ordered: true });
    assert.deepEqual(lines[0], { position: commit, total: COUNT });
    assert.deepEqual(found(lines), uris(0, COUNT));
    assert.deepEqual(lines.find(({ uri }) => uri === uriOf(77))!.result, [{ type: 'literal', value: '77' }]);
    const { count, errors, filtered, position, done } = lines.at(-1)!;
    assert.deepEqual([done, count, errors, filtered, position], [true, COUNT, 0, 0, commit]);
  });

  it('P-27: has the same lines in any order', async () => {
    const free = found(await all({ starts: ofType }));
    assert.equal(free.length, COUNT);
    assert.deepEqual(new Set(free), new Set(uris(0, COUNT)));
  });

  it('P-27: takes a graph, all subjects, or what a path selects', async () => {
    const ofGraph = await all({ starts: { graph: 'urn:x:cycle' } });
    assert.deepEqual([ofGraph[0]!.total, ofGraph.at(-1)!.count], [2000, 2000]);
    const subjects = await all({ starts: { subjects: true }, path: 'ex:n' });
    assert.equal(new Set(found(subjects)).size, subjects.at(-1)!.count);
    assert.ok(subjects.at(-1)!.count! >= COUNT + 2000);
    const selected = await all({ starts: { path: 'ex:to', from: [`${EX}c1`, `${EX}c2`] }, ordered: true });
    assert.deepEqual(found(selected).toSorted(), [`${EX}c14`, `${EX}c2`, `${EX}c3`, `${EX}c7`]);
    const instances = await all({ starts: { path: '^rdf:type', from: `${EX}Thing` }, ordered: true });
    assert.deepEqual(found(instances), uris(0, COUNT));
    assert.deepEqual((await all({ starts: { type: 'urn:x:none' } })).at(-1)!.count, 0);
  });

  it('P-27: leaves out the members for which @filter is false', async () => {
    const program = '@filter ex:tenth ; n = ex:n ;';
    const lines = await all({ path: undefined, program, starts: ofType, ordered: true });
    assert.deepEqual(
      found(lines),
      uris(0, COUNT).filter((_, i) => i % 10 === 0),
    );
    const { count, filtered } = lines.at(-1)!;
    assert.deepEqual([count, filtered], [COUNT / 10, COUNT - COUNT / 10]);
    const listed = await all({ path: undefined, program, uris: uris(0, 20) });
    assert.equal(found(listed).length, 20);
  });

  it('P-28: goes on after a limit while data change, with every member once', async () => {
    const graph = 'urn:x:changing';
    const ofGraph = { graph };
    const members = uris(200_000, 201_000);
    const others = (from: number, to: number) => things(from, to, 'ex:Other');
    const position = await put(graph, others(200_000, 201_000));
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < 11; page++) {
      const lines = await all({ starts: ofGraph, limit: 100, ...(cursor && { cursor }) });
      assert.equal(lines.at(-1)!.position, position);
      seen.push(...found(lines));
      cursor = lines.at(-1)!.cursor;
      if (cursor === undefined) break;
      // The last member, and others that are not needed, are removed before the next page.
      await put(`urn:x:more${page}`, others(300_000 + 5000 * page, 305_000 + 5000 * page));
      await fetch(`${server.url}/context?graph=urn:x:more${page}`, { method: 'DELETE' });
      const left = others(200_000, 201_000).replaceAll(`<${seen.at(-1)!}> a ex:Other ;`, '<urn:x:gone>');
      await put(graph, left);
    }
    assert.equal(cursor, undefined);
    // Within a page they come as they are ready.
    assert.deepEqual(seen.filter((uri) => uri.startsWith(EX)).toSorted(), members);
  });

  it('P-28: results in order are followed by cursors, each of which goes on after them', async () => {
    const lines = await all({ starts: ofType, ordered: true });
    const at = lines.findIndex(({ cursor }, i) => cursor !== undefined && i > COUNT / 2);
    const earlier = found(lines.slice(0, at));
    assert.equal(lines[at]!.count, earlier.length);
    const rest = await all({ starts: ofType, ordered: true, cursor: lines[at]!.cursor });
    assert.equal(rest[0]!.total, COUNT - earlier.length);
    assert.deepEqual([...earlier, ...found(rest)], uris(0, COUNT));
  });

  it('P-27: reports errors of the set before anything is streamed', async () => {
    const code = async (body: object) => {
      const response = await post(body);
      const { code: found, detail } = (await response.json()) as { code: string; detail: string };
      return [response.status, found, detail.startsWith('starts.path: ')];
    };
    const from = `${EX}Thing`;
    assert.deepEqual(await code({ starts: { path: 'ex:n /', from } }), [400, 'parse-error', true]);
    assert.deepEqual(await code({ starts: { path: 'ex:n', from: 'urn:x:nobody' } }), [
      404,
      'resource-not-found',
      false,
    ]);
    assert.deepEqual(await code({ starts: ofType, path: 'zz:n' }), [400, 'unknown-prefix', false]);
    const [status] = await code({ starts: { path: ENDLESS, from: `${EX}c1` } });
    assert.equal(status, 504);
  });

  it('P-27: reports a member that exceeds the time limit in its line', async () => {
    const slow = await all({ path: ENDLESS, starts: { graph: 'urn:x:cycle' }, limit: 2, ordered: true });
    const codes = slow.flatMap(({ error }) => error?.code ?? []);
    assert.equal(codes.length, 2);
    assert.ok(codes.every((one) => ['time-limit', 'budget-exceeded'].includes(one)));
    assert.equal(slow.at(-1)!.errors, 2);
  });

  it('P-25, P-28: is a task with its total, and tells where it was cancelled', async () => {
    const response = await post({ path: `ex:n | ${ENDLESS}`, starts: { subjects: true }, ordered: true });
    const target = taskOf(response.headers.get('link')!);
    const text = linesOf(response);
    let task: { progress: number; totalSteps: number };
    do task = (await (await fetch(target)).json()) as typeof task;
    while (task.progress < COUNT);
    assert.ok(task.totalSteps >= COUNT + 2000);
    assert.equal((await fetch(target, { method: 'DELETE' })).status, 204);
    const lines = await text;
    const { cancelled, count, cursor } = lines.at(-1)!;
    assert.deepEqual([cancelled, count], [true, found(lines).length]);
    const next = await all({ starts: { subjects: true }, ordered: true, limit: 1, cursor });
    assert.notEqual(found(lines).at(-1), found(next)[0]);
    assert.ok(!found(lines).includes(found(next)[0]!));
  });

  it('P-23, P-27: pauses while the client does not read, and holds little of the set', async () => {
    const program = Array.from({ length: 20 }, (_, i) => `f${i} = ex:n ;`).join(' ');
    const memory = () => residentBytes(server.process.pid!);
    const before = await memory();
    const stuck = request(`${server.url}/ldpath/batch`, { method: 'POST' });
    stuck.end(JSON.stringify({ program, starts: ofType, namespaces }));
    const [response] = (await once(stuck, 'response')) as [IncomingMessage];
    const target = taskOf(String(response.headers['link']));
    response.pause();
    const progress = async () => ((await (await fetch(target)).json()) as { progress: number }).progress;
    let earlier = -1;
    let now = await progress();
    while (now !== earlier) {
      earlier = now;
      for (let i = 0; i < 50; i++) await fetch(`${server.url}/ldpath/path?path=ex:n&ns_ex=${EX}&uri=${EX}5`);
      now = await progress();
    }
    assert.ok(now < COUNT, String(now));
    assert.ok((await memory()) - before < MOST_GROWTH);
    let bytes = 0;
    let tail = '';
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      tail = `${tail}${chunk}`.slice(-300);
    });
    response.resume();
    await once(response, 'end');
    assert.match(tail, new RegExp(`\\{"done":true,"count":${COUNT},"errors":0,`));
    assert.ok(bytes > MOST_GROWTH / 2);
    assert.ok((await memory()) - before < MOST_GROWTH);
  });
});

/** Memory of a process in RAM; 0 where the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return 1024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
}
