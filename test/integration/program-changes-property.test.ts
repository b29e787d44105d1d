import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import type { DeclaredStartSet } from '../../src/rdf/model/resources/start-set.ts';
import { type Commit, graphNames, histories, programs, startSets } from '../ldpath/affected/histories.ts';
import { prefixes } from '../ldpath/support.ts';
import { BASE, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SMALL = ['--threads', '2', '--sparql-threads', '0'];
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const PROGRAMS = 8;
const seed = Number(process.env['PROGRAM_CHANGES_SEED'] ?? 22);

/** A line of a batch, or of the feed. */
interface Line {
  readonly uri?: string;
  readonly position?: string;
  readonly result?: object;
  readonly filter?: boolean;
  readonly boost?: number;
  readonly error?: { readonly code: string };
  readonly deleted?: true;
  readonly resync?: true;
}

interface Stored {
  readonly name: string;
  readonly starts: DeclaredStartSet;
}

/** What each start resource has, as text that can be compared. */
type Index = ReadonlyMap<string, string>;

/** The lines of N-Triples in each graph, without their full stops. */
type Graphs = Map<string, Set<string>>;

function showing({ result, boost, error }: Line): string {
  if (error) return error.code;
  const text = JSON.stringify([result, boost]);
  return text.replaceAll(/"lang":"[^"]*"/g, (tag) => tag.toLowerCase());
}

async function send(url: string, path: string, init: RequestInit, status: number): Promise<string> {
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  assert.equal(response.status < 300, status < 300, `${path}: ${response.status} ${text}`);
  return text;
}

const linesIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

async function putGraph(url: string, name: string, lines: Iterable<string>): Promise<void> {
  const body = Array.from(lines, (line) => `${line} .\n`).join('');
  const path = `/context?graph=${encodeURIComponent(name.slice(1, -1))}`;
  await send(url, path, { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body }, 204);
}

function applyCommit(graphs: Graphs, { cleared, removals, additions }: Commit): Set<string> {
  const touched = new Set(cleared);
  for (const name of cleared) graphs.get(name)!.clear();
  const quads = [
    ...removals.map((quad) => ({ quad, adds: false })),
    ...additions.map((quad) => ({ quad, adds: true })),
  ];
  for (const { quad, adds } of quads) {
    const { subject, predicate, object, graph } = quad;
    const line = `${subject} ${predicate} ${object}`;
    if (adds) graphs.get(graph)!.add(line);
    else graphs.get(graph)!.delete(line);
    touched.add(graph);
  }
  return touched;
}

/** The members of a start set, by the data that were sent. */
function membersOf({ starts }: Stored, graphs: Graphs): string[] {
  const members = new Set<string>();
  for (const [name, lines] of graphs) {
    if (starts.kind === 'graph' && name !== `<${starts.iri}>`) continue;
    for (const line of lines) {
      const [subject = '', ...rest] = line.split(' ');
      if (!subject.startsWith('<')) continue;
      if (starts.kind === 'type' && rest.join(' ') !== `${TYPE} <${starts.iri}>`) continue;
      members.add(subject.slice(1, -1));
    }
  }
  return [...members];
}

async function evaluated(url: string, stored: Stored, graphs: Graphs): Promise<Index> {
  const uris = membersOf(stored, graphs);
  if (uris.length === 0) return new Map();
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' },
    body: JSON.stringify({ name: stored.name, uris, missing: 'empty' }),
  };
  const index = new Map<string, string>();
  for (const line of linesIn(await send(url, '/ldpath/batch', init, 200))) {
    if (line.uri !== undefined && line.filter !== false) index.set(line.uri, showing(line));
  }
  return index;
}

/** Applies the feed to what was known at a position. */
async function followed(url: string, { name }: Stored, since: string, before: Index): Promise<Index> {
  const text = await send(url, `/ldpath/programs/${name}/changes?since=${since}`, {}, 200);
  const index = new Map(before);
  const lines = linesIn(text);
  const seen = new Set<string>();
  for (const line of lines) {
    assert.equal(line.resync, undefined, text);
    // The root of the LDP space is not one of the resources that are compared.
    if (line.uri === undefined || line.uri.startsWith(BASE)) continue;
    assert.ok(!seen.has(line.uri), 'each once');
    seen.add(line.uri);
    assert.equal(line.position, since);
    if (line.deleted) index.delete(line.uri);
    else index.set(line.uri, showing(line));
  }
  return index;
}

async function positionOf(url: string): Promise<string> {
  return linesIn(await send(url, '/changes', {}, 200))[0]!.position!;
}

async function store(url: string): Promise<Stored[]> {
  const samples = fc.sample(fc.tuple(programs, startSets), { numRuns: PROGRAMS, seed });
  const stored: Stored[] = [];
  for (const [i, [program, declared]] of samples.entries()) {
    const starts: DeclaredStartSet = declared ?? { kind: 'subjects' };
    const json = starts.kind === 'subjects' ? { subjects: true } : { [starts.kind]: starts.iri };
    const body = JSON.stringify({ program, starts: json, namespaces: prefixes });
    const headers = { 'Content-Type': 'application/json' };
    await send(url, `/ldpath/programs/p${i}`, { method: 'PUT', headers, body }, 201);
    stored.push({ name: `p${i}`, starts });
  }
  return stored;
}

interface State {
  readonly position: string;
  readonly indexes: readonly Index[];
}

/** Follows the feed from the first of the states, and from the last. */
async function check(url: string, stored: readonly Stored[], graphs: Graphs, states: State[]): Promise<void> {
  const position = await positionOf(url);
  const indexes = await Promise.all(stored.map((one) => evaluated(url, one, graphs)));
  for (const state of [...states.slice(0, 1), ...states.slice(1).slice(-1)]) {
    await Promise.all(
      stored.map(async (one, i) => {
        const now = await followed(url, one, state.position, state.indexes[i]!);
        const message = `program ${one.name} from ${state.position} to ${position}`;
        assert.deepEqual([...now].sort(), [...indexes[i]!].sort(), message);
      }),
    );
  }
  states.push({ position, indexes });
}

/** Random commits; `after` may do more after each of them, and returns where the server is. */
async function run(first: string, after: (commit: number, url: string, graphs: Graphs) => Promise<string>) {
  let url = first;
  const graphs: Graphs = new Map(graphNames.map((name) => [name, new Set()]));
  const states: State[] = [];
  let commits = 0;
  const stored = await store(url);
  for (const history of fc.sample(histories, { numRuns: 2, seed })) {
    const start: Commit = { cleared: [], removals: [], additions: history.first, compacts: false };
    for (const commit of [start, ...history.commits]) {
      for (const name of applyCommit(graphs, commit)) {
        if (graphs.get(name)!.size > 0) await putGraph(url, name, graphs.get(name)!);
        else
          await fetch(`${url}/context?graph=${encodeURIComponent(name.slice(1, -1))}`, { method: 'DELETE' });
      }
      url = await after(++commits, url, graphs);
      await check(url, stored, graphs, states);
    }
  }
  const changed = states.flatMap(({ indexes }) => indexes.map(({ size }) => size));
  assert.ok(changed.some((size) => size > 0));
}

it('applied to the results at any position, the feed gives the present ones: kills, big writes (F-20)', async (t) => {
  const data = await temporaryDirectory(t);
  const start = () => startServer(t, ['--data', data, ...SMALL, '--journal-max', '4KiB']);
  let server: ServerProcess = await start();
  await run(server.url, async (commit, url, graphs) => {
    if (commit === 2) {
      const big = `<http://example.org/big${commit}>`;
      const lines = Array.from({ length: 17_000 }, (_, i) => `<urn:x:big> <urn:x:p> ${i}`);
      graphs.set(big, new Set(lines));
      await putGraph(url, big, lines);
    }
    if (commit === 4) {
      const big = `<http://example.org/big${commit - 2}>`;
      graphs.delete(big);
      await send(url, `/context?graph=${encodeURIComponent(big.slice(1, -1))}`, { method: 'DELETE' }, 204);
    }
    if (commit % 3 === 0) {
      await server.kill();
      server = await start();
    }
    return server.url;
  });
});

it('the same in memory (F-20)', async (t) => {
  const { url } = await startServer(t, ['--memory', ...SMALL]);
  await run(url, async () => url);
});
