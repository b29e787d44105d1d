import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { withSmallTag } from '../../src/rdf/model/language/tag-case.ts';
import { SYSTEM_GRAPH } from '../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { type Compaction, carryOut } from '../../src/snapshot/runs/compact.ts';
import {
  planDrop,
  planEdit,
  planLoad,
  planMerge,
  planReplace,
} from '../../src/snapshot/write/change-plan.ts';
import type { Changes } from '../../src/snapshot/write/changes.ts';
import type { LevelLimits, WantedMerge } from '../../src/snapshot/write/levels.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { anyQuad, assertAgrees, graphs, type TextQuad } from '../contracts/path-graph.contract.ts';
import { blockOf } from '../snapshot/blocks.ts';
import { throughImage } from '../snapshot/images.ts';
import { OxigraphModel } from '../snapshot/oxigraph-model.ts';

const allGraphs = [...graphs, `<${SYSTEM_GRAPH}>`];

type Step =
  | { readonly kind: 'merge' | 'replace'; readonly graph: string; readonly quads: readonly TextQuad[] }
  | { readonly kind: 'load'; readonly quads: readonly TextQuad[] }
  | { readonly kind: 'drop'; readonly graph: string }
  | {
      readonly kind: 'edit';
      readonly graph: string;
      readonly quads: readonly TextQuad[];
      readonly removals: readonly TextQuad[];
    }
  | { readonly kind: 'publish' | 'discard' | 'begin' | 'merge-runs' | 'install' | 'abandon' | 'image' };

const someQuads = fc.array(anyQuad, { maxLength: 12, size: 'max' });
const graph = fc.constantFrom(...allGraphs);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('merge' as const), graph, quads: someQuads }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('replace' as const), graph, quads: someQuads }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('load' as const), quads: someQuads }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('drop' as const), graph }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('edit' as const),
        graph,
        quads: someQuads,
        removals: someQuads,
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'publish',
          'publish',
          'discard',
          'begin',
          'merge-runs',
          'merge-runs',
          'install',
          'abandon',
          'image',
        ),
      }),
    },
  ),
  { maxLength: 40, size: 'max' },
) as fc.Arbitrary<Step[]>;

const limits: fc.Arbitrary<LevelLimits> = fc.record({
  log: fc.integer({ min: 0, max: 30 }),
  recent: fc.integer({ min: 0, max: 30 }),
  deltas: fc.integer({ min: 0, max: 60 }),
  deadTerms: fc.constantFrom(0, 0, 5, 1 << 16),
});

/** A writer next to Oxigraph, doing the same things. */
class History {
  readonly #limits: LevelLimits;
  readonly #model = new OxigraphModel();
  readonly #old: { readonly reader: SnapshotReader; readonly quads: readonly TextQuad[] }[] = [];
  #writer: SnapshotWriter;
  #published: readonly TextQuad[] = [];
  #compacting: Compaction | undefined;
  #sequence = 0;

  constructor(levelLimits: LevelLimits) {
    this.#limits = levelLimits;
    this.#writer = new SnapshotWriter(undefined, levelLimits);
  }

  async do(step: Step): Promise<void> {
    switch (step.kind) {
      case 'publish':
        return this.#publish();
      case 'discard':
        this.#writer.discard();
        this.#model.reset(this.#published);
        return;
      case 'begin':
        this.#publish();
        this.#compacting ??= this.#writer.beginCompaction();
        return;
      case 'merge-runs':
        this.#publish();
        this.#compacting ??= this.#writer.beginCompaction(this.#anyRuns());
        return;
      case 'install':
        this.#publish();
        if (this.#compacting) this.#writer.install(this.#compacting, carryOut(this.#compacting));
        this.#compacting = undefined;
        return this.#checkPublished();
      case 'abandon':
        this.#compacting = undefined;
        return this.#writer.abandonCompaction();
      case 'image':
        this.#publish();
        this.#compacting = undefined;
        this.#writer = new SnapshotWriter(throughImage(this.#writer.descriptor), this.#limits);
        return this.#checkPublished();
      default:
        return this.#change(step);
    }
  }

  /** Some of the runs; the first one may be left out. */
  #anyRuns(): WantedMerge {
    const { deltas } = this.#writer.descriptor;
    return deltas.length < 3 ? { into: 'base' } : { into: 'run', from: this.#sequence % 2 };
  }

  end(): void {
    this.#publish();
    for (const { reader, quads } of this.#old) {
      assert.deepEqual(quadsOf(reader), quads);
      assertAgrees(reader, visible(quads));
    }
    this.#model.free();
  }

  #change(step: Extract<Step, { quads: unknown } | { kind: 'drop' }>): void {
    const before = this.#model.quads();
    const changes = this.#plan(step);
    this.#writer.apply(changes);
    this.#changeModel(step);
    const after = this.#model.quads();
    assert.equal(changes.additions.length / 4, missing(after, before), 'effective additions');
    assert.equal(changes.removals.length / 4, missing(before, after), 'effective removals');
    assert.deepEqual(quadsOf(this.#writer.reader()), after);
  }

  #plan(step: Extract<Step, { quads: unknown } | { kind: 'drop' }>): Changes {
    const writer = this.#writer;
    switch (step.kind) {
      case 'merge':
        return planMerge(writer, bare(step.graph), blockOf(step.quads), '');
      case 'replace':
        return planReplace(writer, bare(step.graph), blockOf(step.quads), '');
      case 'load':
        return planLoad(writer, bare(graphs[0]!), blockOf(step.quads.map(withoutFirstGraph)), '');
      case 'drop':
        return planDrop(writer, bare(step.graph));
      case 'edit':
        return planEdit(
          writer,
          bare(step.graph),
          { additions: blockOf(step.quads), removals: blockOf(step.removals) },
          '',
        );
    }
  }

  #changeModel(step: Extract<Step, { quads: unknown } | { kind: 'drop' }>): void {
    const model = this.#model;
    if (step.kind === 'load') {
      model.add(step.quads);
      return;
    }
    if (step.kind === 'drop' || step.kind === 'replace') model.drop(step.graph);
    if (step.kind === 'edit') model.remove(inGraph(step.removals, step.graph));
    if (step.kind !== 'drop') model.add(inGraph(step.quads, step.graph));
  }

  #publish(): void {
    this.#writer.publish(++this.#sequence);
    this.#published = this.#model.quads();
    this.#checkPublished();
  }

  #checkPublished(): void {
    const reader = openSnapshot(this.#writer.descriptor);
    const quads = this.#published;
    assert.equal(reader.quadCount, quads.length);
    assert.deepEqual(quadsOf(reader), quads);
    assertAgrees(reader, visible(quads));
    const chosen = [graphs[1]!, `<${SYSTEM_GRAPH}>`];
    const view = reader.within(chosen.map((text) => reader.find(text)));
    assertAgrees(
      view,
      visible(quads).filter((quad) => chosen.includes(quad.graph)),
    );
    for (const name of allGraphs) assertGraph(reader, name, quads);
    const withQuads = reader.graphs().map((id) => reader.text(id));
    assert.deepEqual(withQuads.sort(), [...new Set(quads.map((quad) => quad.graph))].sort());
    this.#old.push({ reader, quads });
  }
}

function assertGraph(reader: SnapshotReader, name: string, quads: readonly TextQuad[]): void {
  const expected = quads.filter((quad) => quad.graph === name);
  const id = reader.find(name);
  const cursor = reader.graphCursor(id);
  const found: TextQuad[] = [];
  let lastSubject = 0;
  while (cursor.next()) {
    assert.ok(cursor.subject >= lastSubject, 'subject order');
    lastSubject = cursor.subject;
    assert.ok(reader.hasQuad(cursor.subject, cursor.predicate, cursor.object, id));
    found.push(textOf(reader, cursor.subject, cursor.predicate, cursor.object, cursor.graph));
  }
  assert.deepEqual(found.sort(byText), expected);
  assert.equal(reader.graphSize(id), expected.length);
}

function quadsOf(reader: SnapshotReader): TextQuad[] {
  const cursor = reader.allQuads();
  const quads: TextQuad[] = [];
  while (cursor.next()) {
    quads.push(textOf(reader, cursor.subject, cursor.predicate, cursor.object, cursor.graph));
  }
  return quads.sort(byText);
}

/** As Oxigraph writes it. */
function textOf(reader: SnapshotReader, s: number, p: number, o: number, g: number): TextQuad {
  return {
    subject: reader.text(s),
    predicate: reader.text(p),
    object: withSmallTag(reader.text(o)),
    graph: reader.text(g),
  };
}

function byText(x: TextQuad, y: TextQuad): number {
  return textKey(x) < textKey(y) ? -1 : 1;
}

function textKey({ subject, predicate, object, graph: name }: TextQuad): string {
  return `${subject} ${predicate} ${object} ${name}`;
}

function missing(from: readonly TextQuad[], others: readonly TextQuad[]): number {
  const keys = new Set(others.map(textKey));
  return from.filter((quad) => !keys.has(textKey(quad))).length;
}

function visible(quads: readonly TextQuad[]): TextQuad[] {
  return quads.filter((quad) => quad.graph !== `<${SYSTEM_GRAPH}>`);
}

function inGraph(quads: readonly TextQuad[], name: string): TextQuad[] {
  return quads.map((quad) => ({ ...quad, graph: name }));
}

function withoutFirstGraph({ graph: name, ...triple }: TextQuad): Omit<TextQuad, 'graph'> | TextQuad {
  return name === graphs[0] ? triple : { ...triple, graph: name };
}

function bare(name: string): string {
  return name.slice(1, -1);
}

it('a snapshot has the same data as Oxigraph after any history, and old snapshots do not change', async () => {
  await fc.assert(
    fc.asyncProperty(limits, steps, async (levelLimits, history) => {
      const run = new History(levelLimits);
      for (const step of history) await run.do(step);
      run.end();
    }),
    { numRuns: 100, includeErrorInReport: true },
  );
});
