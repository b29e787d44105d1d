import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCount, startText } from '../../../../src/pool/batch/start-pack.ts';
import type { StartPosition } from '../../../../src/pool/batch/start-position.ts';
import type { StartsJob, StartsOutput } from '../../../../src/pool/messages.ts';
import { TaskBoard } from '../../../../src/pool/tasks/board.ts';
import { ThreadBoard } from '../../../../src/pool/threads/status-board.ts';
import { CurrentStep } from '../../../../src/pool/worker/current-step.ts';
import { PathEvaluator } from '../../../../src/pool/worker/path-evaluator.ts';
import { StartSetReader } from '../../../../src/pool/worker/starts/set-reader.ts';
import { iriPatterns } from '../../../../src/rdf/model/resources/iri-patterns.ts';
import type { StartSet } from '../../../../src/rdf/model/resources/start-set.ts';
import { carryOut } from '../../../../src/snapshot/runs/compact.ts';
import { planDrop, planEdit, planMerge } from '../../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../../src/snapshot/write/snapshot-writer.ts';
import { storedBlockOf } from '../../../support/blocks.ts';

const MOST_SELECTED = 100;
const EX = 'http://example.org/';
const RDF_TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

function newReader(): StartSetReader {
  const board = TaskBoard.forThreads(1);
  const step = new CurrentStep(board);
  const budget = { steps: 1e6, terms: 1e6, resultBytes: 1e6, milliseconds: 60_000 };
  const threads = ThreadBoard.forThreads(1).buffer;
  const limits = { budget, parseMs: 1000, heapMegabytes: 64 };
  const data = {
    board: board.buffer,
    threads,
    prefixes: { ex: EX },
    documentPrefixes: {},
    contexts: {},
    ...limits,
  };
  step.begin(0, 0);
  return new StartSetReader(new PathEvaluator(data, step), step, MOST_SELECTED);
}

const reader = newReader();

/** A job for the first page; `more` for another one. */
function job(writer: SnapshotWriter, set: StartSet, more: Partial<StartsJob> = {}): StartsJob {
  return {
    kind: 'starts',
    snapshot: writer.descriptor,
    visible: undefined,
    set,
    namespaces: {},
    after: null,
    before: null,
    selected: null,
    most: 1000,
    counted: true,
    slot: 0,
    ...more,
  };
}

function read(writer: SnapshotWriter, set: StartSet, more: Partial<StartsJob> = {}): StartsOutput {
  return reader.read(job(writer, set, more), writer.reader());
}

function textsOf({ starts }: StartsOutput): string[] {
  return Array.from({ length: startCount(starts) }, (_, i) => startText(starts, i));
}

function add(writer: SnapshotWriter, triples: string, graph = 'urn:g'): void {
  writer.apply(planMerge(writer, graph, storedBlockOf(triples), 'x'));
}

const person = (i: number) => `<${EX}${i}> ${RDF_TYPE} <${EX}Person> .`;
const persons = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => person(from + i)).join('\n');
const names = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `${EX}${from + i}`);
const ofType: StartSet = { kind: 'type', iri: `${EX}Person` };
const subjects: StartSet = { kind: 'subjects' };

/** All members in pages of `most`; `between` is called after each page. */
function pages(
  writer: SnapshotWriter,
  set: StartSet,
  most: number,
  between: (page: number) => void = () => {},
): string[] {
  const found: string[] = [];
  let output = read(writer, set, { most });
  let before = output.starts;
  for (let page = 1; ; page++) {
    found.push(...textsOf(output));
    if (output.isLast) return found;
    assert.ok(page < 1000, 'an end');
    between(page);
    const { after, selected } = output;
    output = read(writer, set, { most, after, before, selected, counted: false });
    if (output.ids.length > 0) before = output.starts;
  }
}

test('the members of a set are IRIs, each once, in ascending order of ids', () => {
  const writer = new SnapshotWriter();
  add(
    writer,
    `${person(1)}\n_:b ${RDF_TYPE} <${EX}Person> .\n<${EX}c> <${EX}p> <${EX}d> .\n<${EX}c> <${EX}p> "x" .`,
  );
  add(writer, `${person(1)}\n<${EX}2> <${EX}p> <${EX}1> .`, 'urn:h');
  const read1 = (set: StartSet) => textsOf(read(writer, set));
  assert.deepEqual(read1(subjects), [`${EX}1`, `${EX}c`, `${EX}2`]);
  assert.deepEqual(read1(ofType), [`${EX}1`]);
  assert.deepEqual(read1({ kind: 'graph', iri: 'urn:h' }), [`${EX}1`, `${EX}2`]);
  const path: StartSet = { kind: 'path', path: '(ex:p | ^ex:p)', from: [`${EX}1`, `${EX}c`] };
  assert.deepEqual(read1(path), [`${EX}d`, `${EX}2`]);
  assert.deepEqual(read1({ kind: 'type', iri: 'urn:unknown' }), []);
  assert.deepEqual(read1({ kind: 'graph', iri: 'urn:x-pathpool:system' }), []);
});

test('the first page tells the number of all members', () => {
  const writer = new SnapshotWriter();
  add(writer, persons(0, 50));
  const { total, ids, isLast, after } = read(writer, ofType, { most: 20 });
  assert.deepEqual([total, ids.length, isLast], [50, 20, false]);
  assert.deepEqual(after, { generation: writer.descriptor.dictionary.generation, id: ids[19] });
  assert.equal(read(writer, ofType, { counted: false }).total, null);
});

test('pages of any size have every member once', () => {
  const writer = new SnapshotWriter();
  add(writer, persons(0, 50));
  const path: StartSet = { kind: 'path', path: '^rdf:type', from: [`${EX}Person`] };
  for (const set of [ofType, subjects, path]) {
    for (const most of [1, 7, 50, 51]) assert.deepEqual(pages(writer, set, most), names(0, 50));
  }
});

test('members that are added while the set is read come later, and removed ones do not come', () => {
  const writer = new SnapshotWriter();
  add(writer, persons(0, 30));
  const found = pages(writer, ofType, 10, (page) => {
    if (page > 1) return;
    const edit = { additions: storedBlockOf(persons(30, 35)), removals: storedBlockOf(persons(8, 12)) };
    writer.apply(planEdit(writer, 'urn:g', edit, 'x'));
  });
  assert.deepEqual(found, [...names(0, 10), ...names(12, 35)]);
});

/** A writer whose unused terms are dropped as soon as there are a few. */
function newWriter(): SnapshotWriter {
  return new SnapshotWriter(undefined, { log: 4, recent: 8, deltas: 16, deadTerms: 20 });
}

/** Does what the writer wants, as other threads would. Returns whether terms got other ids. */
function maintain(writer: SnapshotWriter): boolean {
  const { generation } = writer.descriptor.dictionary;
  for (let rounds = 0; writer.needsCompaction; rounds++) {
    assert.ok(rounds < 20, 'an end');
    const compaction = writer.beginCompaction();
    writer.install(compaction, carryOut(compaction));
  }
  return writer.descriptor.dictionary.generation !== generation;
}

/** Members whose terms are the last ones, behind many terms that can be dropped. */
function withDeadTerms(): SnapshotWriter {
  const writer = newWriter();
  const values = Array.from({ length: 500 }, (_, i) => `<urn:s> <urn:p> "${i}" .`);
  add(writer, values.join('\n'), 'urn:old');
  add(writer, persons(0, 30));
  writer.publish(1);
  maintain(writer);
  return writer;
}

test('every member comes once although terms get other ids between two pages', () => {
  const writer = withDeadTerms();
  const found = pages(writer, ofType, 10, (page) => {
    if (page > 1) return;
    const edit = { additions: storedBlockOf(''), removals: storedBlockOf(persons(5, 15)) };
    writer.apply(planEdit(writer, 'urn:g', edit, 'x'));
    writer.apply(planDrop(writer, 'urn:old'));
    writer.publish(2);
    assert.ok(maintain(writer), 'terms have other ids');
  });
  assert.deepEqual(found, [...names(0, 10), ...names(15, 30)]);
});

test('a path is evaluated again when terms have other ids', () => {
  const writer = withDeadTerms();
  const path: StartSet = { kind: 'path', path: '^rdf:type', from: [`${EX}Person`] };
  const found = pages(writer, path, 10, (page) => {
    if (page > 1) return;
    writer.apply(planDrop(writer, 'urn:old'));
    writer.publish(2);
    assert.ok(maintain(writer), 'terms have other ids');
  });
  assert.deepEqual(found, names(0, 30));
});

test('a member that was removed and comes again while terms are dropped hides no other one', () => {
  const writer = withDeadTerms();
  const found = pages(writer, ofType, 10, (page) => {
    if (page > 1) return;
    const removals = storedBlockOf(persons(9, 10));
    writer.apply(planEdit(writer, 'urn:g', { additions: storedBlockOf(''), removals }, 'x'));
    writer.apply(planDrop(writer, 'urn:old'));
    writer.publish(2);
    assert.ok(maintain(writer), 'terms have other ids');
    add(writer, persons(9, 10));
    writer.publish(3);
  });
  assert.deepEqual(new Set(found), new Set(names(0, 30)));
  assert.deepEqual(found.slice(10, 30), names(10, 30));
});

test('a set is read from its beginning when all members before are gone and terms have other ids', () => {
  const writer = withDeadTerms();
  const found = pages(writer, ofType, 10, (page) => {
    if (page > 1) return;
    const removals = storedBlockOf(persons(0, 10));
    writer.apply(planEdit(writer, 'urn:g', { additions: storedBlockOf(''), removals }, 'x'));
    writer.apply(planDrop(writer, 'urn:old'));
    writer.publish(2);
    assert.ok(maintain(writer), 'terms have other ids');
  });
  assert.deepEqual(found, names(0, 30));
});

test('a position whose ids have changed is gone if nothing else tells where it is', () => {
  const writer = withDeadTerms();
  const after: StartPosition = { generation: writer.descriptor.dictionary.generation + 1, id: 5 };
  assert.throws(() => read(writer, ofType, { after }), { code: 'position-gone' });
});

test('a path may not select more than the budget allows, and its errors are reported', () => {
  const writer = new SnapshotWriter();
  add(writer, persons(0, MOST_SELECTED + 1));
  const from = [`${EX}Person`];
  const selects = (path: string) => () => read(writer, { kind: 'path', path, from });
  assert.throws(selects('^rdf:type'), { code: 'budget-exceeded' });
  assert.throws(selects('^rdf:type /'), { code: 'parse-error' });
});

test('members that only hidden quads make are passed over (G-161)', () => {
  const writer = new SnapshotWriter();
  add(writer, persons(0, 5), 'urn:open');
  add(writer, persons(5, 150_000), 'urn:hidden');
  add(writer, persons(150_000, 150_005), 'urn:open');
  const visible = iriPatterns(['urn:open']);
  const graph = writer.reader().visibleTo(visible);
  for (const set of [ofType, subjects, { kind: 'graph', iri: 'urn:open' } as const]) {
    const found: string[] = [];
    let after: StartPosition | null = null;
    for (let isLast = false; !isLast; ) {
      const output: StartsOutput = reader.read(job(writer, set, { visible, after, counted: false }), graph);
      found.push(...textsOf(output));
      ({ after, isLast } = output);
    }
    assert.deepEqual(found, [...names(0, 5), ...names(150_000, 150_005)]);
  }
  assert.equal(reader.read(job(writer, { kind: 'graph', iri: 'urn:hidden' }, { visible }), graph).total, 0);
});
