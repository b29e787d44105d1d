import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  planDrop,
  planEdit,
  planLoad,
  planMerge,
  planReplace,
} from '../../../src/snapshot/write/change-plan.ts';
import type { Changes } from '../../../src/snapshot/write/changes.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { type BlockQuad, blockOf } from '../blocks.ts';

const triple = (subject: string, predicate: string, object: string): BlockQuad => ({
  subject,
  predicate,
  object,
});

const ab = triple('<a>', '<p>', '<b>');
const ac = triple('<a>', '<p>', '<c>');
const ad = triple('<a>', '<p>', '<d>');

function writerWith(...quads: BlockQuad[]): SnapshotWriter {
  const writer = new SnapshotWriter();
  writer.apply(planLoad(writer, 'g', blockOf(quads), ''));
  return writer;
}

function texts(writer: SnapshotWriter, rows: Uint32Array): string[] {
  const found: string[] = [];
  for (let i = 0; i < rows.length; i += 4) {
    found.push([...rows.subarray(i, i + 4)].map((id) => writer.terms.text(id)).join(' '));
  }
  return found;
}

function spell(writer: SnapshotWriter, changes: Changes): { additions: string[]; removals: string[] } {
  return { additions: texts(writer, changes.additions), removals: texts(writer, changes.removals) };
}

describe('Planning', () => {
  it('a merge adds what the graph lacks, once, in the order of the payload', () => {
    const writer = writerWith(ab);
    const changes = planMerge(writer, 'g', blockOf([ad, ab, ac, ad]), '');
    assert.deepEqual(spell(writer, changes), {
      additions: ['<a> <p> <d> <g>', '<a> <p> <c> <g>'],
      removals: [],
    });
  });

  it('a merge puts all triples into its graph, a load only those that name none', () => {
    const block = blockOf([{ ...ab, graph: '<other>' }, ac]);
    const writer = new SnapshotWriter();
    assert.deepEqual(texts(writer, planMerge(writer, 'g', block, '').additions), [
      '<a> <p> <b> <g>',
      '<a> <p> <c> <g>',
    ]);
    assert.deepEqual(texts(writer, planLoad(writer, 'g', block, '').additions), [
      '<a> <p> <b> <other>',
      '<a> <p> <c> <g>',
    ]);
  });

  it('a load recognises a quad in a named graph and in the default graph', () => {
    const writer = new SnapshotWriter();
    const block = blockOf([{ ...ab, graph: '<g>' }, ab, ac, { ...ac, graph: '<g>' }]);
    assert.equal(planLoad(writer, 'g', block, '').additions.length / 4, 2);
  });

  it('a replacement removes what the payload lacks and adds what the graph lacks', () => {
    const writer = writerWith(ab, ac);
    assert.deepEqual(spell(writer, planReplace(writer, 'g', blockOf([ad, ac]), '')), {
      additions: ['<a> <p> <d> <g>'],
      removals: ['<a> <p> <b> <g>'],
    });
  });

  it('an edit that removes and adds one triple leaves it', () => {
    const writer = writerWith(ab, ac);
    const changes = planEdit(
      writer,
      'g',
      { additions: blockOf([ab, ad]), removals: blockOf([ab, ac, ad]) },
      '',
    );
    assert.deepEqual(spell(writer, changes), {
      additions: ['<a> <p> <d> <g>'],
      removals: ['<a> <p> <c> <g>'],
    });
  });

  it('a drop removes the triples of its graph and of no other', () => {
    const writer = writerWith(ab, { ...ac, graph: '<other>' });
    assert.deepEqual(texts(writer, planDrop(writer, 'g').removals), ['<a> <p> <b> <g>']);
    assert.equal(planDrop(writer, 'unknown').removals.length, 0);
  });

  it('numbers terms by the effective additions, so that replaying those gives the same ids', () => {
    const writer = writerWith(ab, ac);
    const known = { ...triple('<n1>', '<p>', '"x"'), graph: '<g2>' };
    const first = planLoad(writer, 'g', blockOf([ad, known]), '');
    writer.apply(first);
    const second = planReplace(writer, 'g', blockOf([ab, triple('<n2>', '<n3>', '<n2>')]), '');
    writer.apply(second);

    const replay = writerWith(ab, ac);
    for (const { additions, removals } of [first, second]) {
      const again = (rows: Uint32Array) =>
        rows.map((id) => replay.dictionary.internText(writer.terms.text(id)));
      const replayed = { additions: again(additions), removals: again(removals) };
      assert.deepEqual(replayed, { additions, removals });
      replay.apply(replayed);
    }
    assert.equal(replay.dictionary.termCount, writer.dictionary.termCount);
  });

  it('interns nothing for a payload without effect', () => {
    const writer = writerWith(ab);
    const before = writer.dictionary.termCount;
    planMerge(writer, 'g', blockOf([ab]), '');
    planEdit(
      writer,
      'unknown',
      { additions: blockOf([]), removals: blockOf([triple('<x>', '<y>', '<z>')]) },
      '',
    );
    assert.equal(writer.dictionary.termCount, before);
  });

  it('labels fresh blank nodes by first use, and never takes them for nodes of the store', () => {
    const writer = new SnapshotWriter();
    const block = blockOf([triple('_:x', '<p>', '_:y'), triple('_:y', '<p>', '_:x')], true);
    for (const prefix of ['b1x', 'b2x']) {
      const changes = planMerge(writer, 'g', block, prefix);
      writer.apply(changes);
      assert.deepEqual(texts(writer, changes.additions), [
        `_:${prefix}0 <p> _:${prefix}1 <g>`,
        `_:${prefix}1 <p> _:${prefix}0 <g>`,
      ]);
    }
    const gone = planEdit(
      writer,
      'g',
      { additions: blockOf([]), removals: blockOf([triple('_:b1x0', '<p>', '_:b1x1')], true) },
      '',
    );
    assert.equal(gone.removals.length, 0);
    const replaced = planReplace(writer, 'g', blockOf([triple('_:b1x0', '<p>', '_:b1x1')]), '');
    assert.equal(replaced.removals.length / 4, 3);
  });

  it('accepts a block that lists a term twice', () => {
    const writer = new SnapshotWriter();
    const block = blockOf([ab]);
    const bytes = Buffer.from('<a><p><b><b>');
    const doubled = {
      ...block,
      termBytes: new Uint8Array(bytes),
      termOffsets: Uint32Array.of(0, 3, 6, 9, 12),
      quads: Uint32Array.of(0, 1, 2, 0, 0, 1, 3, 0),
    };
    assert.equal(planMerge(writer, 'g', doubled, '').additions.length / 4, 1);
  });
});
