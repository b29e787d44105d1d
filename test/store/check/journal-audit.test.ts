import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { planEdit } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { JournalAudit } from '../../../src/store/check/journal-audit.ts';
import { encodePatch } from '../../../src/store/patch/patch.ts';
import { type BlockQuad, blockOf } from '../../snapshot/blocks.ts';

const G = 'urn:g';
const HEAD = { time: 1, created: [], dropped: [], reduced: [] };
const triple: fc.Arbitrary<BlockQuad> = fc.record({
  subject: fc.constantFrom('<urn:a>', '<urn:b>'),
  predicate: fc.constantFrom('<urn:p>', '<urn:q>'),
  object: fc.constantFrom('"1"', '"a \\"<b> .\\""', '"c"@en', '"d"^^<urn:t>', '_:x', '<urn:a>'),
  graph: fc.constant(`<${G}>`),
});
const triples = fc.array(triple, { maxLength: 8 });
const edits = fc.array(fc.tuple(triples, triples), { maxLength: 6 });

/** A checkpoint of some edits, and others behind it in a journal, whose payloads may be changed. */
function audited(
  stored: readonly (readonly [readonly BlockQuad[], readonly BlockQuad[]])[],
  later: typeof stored,
  change: (payloads: Buffer[]) => void = () => {},
): string[] {
  const writer = new SnapshotWriter();
  const take = ([more, less]: (typeof stored)[number], i: number) => {
    const changes = planEdit(writer, G, { additions: blockOf(more), removals: blockOf(less) }, `b${i}X`);
    const payload = encodePatch(HEAD, [changes], writer.terms);
    writer.apply(changes);
    return Buffer.concat(payload);
  };
  stored.forEach(take);
  const before = openSnapshot(writer.publish(1));
  const payloads = later.map((each, i) => take(each, stored.length + i));
  const after = openSnapshot(writer.publish(2));
  change(payloads);
  const audit = new JournalAudit();
  for (const payload of payloads) audit.take(payload, (text) => writer.dictionary.findText(text));
  return audit.damages(before, after);
}

test('a correctly replayed journal passes the audit', () => {
  fc.assert(
    fc.property(edits, edits, (stored, later) => {
      assert.deepEqual(audited(stored, later), []);
    }),
    { numRuns: 200 },
  );
});

test('a row that is missing, repeated or inverted is found', () => {
  let changed = 0;
  fc.assert(
    fc.property(
      edits,
      edits,
      fc.nat(),
      fc.constantFrom('drop', 'twice', 'turn'),
      (stored, later, place, how) => {
        const damages = audited(stored, later, (payloads) => {
          const lines = payloads.flatMap((payload, i) =>
            payload
              .toString()
              .split('\n')
              .map((line) => ({ line, i })),
          );
          const rows = lines.filter(({ line }) => /^[AD] /.test(line));
          fc.pre(rows.length > 0);
          const row = rows[place % rows.length]!;
          const turned = (row.line[0] === 'A' ? 'D' : 'A') + row.line.slice(1);
          const made = { drop: [], twice: [row, row], turn: [{ line: turned, i: row.i }] }[how] ?? [];
          lines.splice(lines.indexOf(row), 1, ...made);
          payloads.forEach((_, i) => {
            payloads[i] = Buffer.from(
              `${lines
                .filter((each) => each.i === i)
                .map(({ line }) => line)
                .join('\n')}\n`,
            );
          });
          changed++;
        });
        assert.notDeepEqual(damages, []);
      },
    ),
    { numRuns: 200 },
  );
  assert.ok(changed > 100);
});

test('a lost quad of the checkpoint is found', () => {
  const quad = (object: string) => ({ subject: '<urn:a>', predicate: '<urn:p>', object, graph: `<${G}>` });
  const writer = new SnapshotWriter();
  writer.apply(
    planEdit(writer, G, { additions: blockOf([quad('"1"'), quad('"2"')]), removals: blockOf([]) }, 'bX'),
  );
  const before = openSnapshot(writer.publish(1));
  writer.apply(planEdit(writer, G, { additions: blockOf([]), removals: blockOf([quad('"1"')]) }, 'cX'));
  const after = openSnapshot(writer.publish(2));
  assert.deepEqual(new JournalAudit().damages(before, after), [
    '1 quads of the checkpoint are missing, though nothing removed them',
    'the journal leads to 2 quads; the snapshot counts 1 and has 1',
  ]);
});
