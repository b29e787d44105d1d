import assert from 'node:assert/strict';
import { it } from 'node:test';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { NetChangesBuilder } from '../../../src/snapshot/feed/net-changes-builder.ts';
import { SYSTEM_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import type { TextQuad } from '../../contracts/path-graph.contract.ts';
import { ex, quadsOf } from '../../ldpath/affected/one-change.ts';
import { blockOf } from '../blocks.ts';

function snapshotOf(quads: readonly TextQuad[]): SnapshotReader {
  const writer = new SnapshotWriter();
  writer.apply(planLoad(writer, 'urn:default', blockOf(quads), ''));
  return openSnapshot(writer.publish(1));
}

type Rows = 'added' | 'removed' | 'unsure';

/** The net changes of rows such as `+a p b`, beside data that have been there all the time. */
function netOf(data: string, rows: readonly string[], present: string): Record<Rows, string[]> {
  const builder = new NetChangesBuilder(snapshotOf(quadsOf(`${data}. ${present}`)));
  for (const row of rows) builder.addTexts(quadsOf(row.slice(1))[0]!, row.startsWith('-'));
  const changes = builder.finish();
  const texts = (words: Uint32Array) =>
    Array.from({ length: words.length / 4 }, (_, i) =>
      Array.from(words.subarray(4 * i, 4 * i + 3), (id) => ex(changes.text(id))).join(' '),
    );
  return { added: texts(changes.added), removed: texts(changes.removed), unsure: texts(changes.unsure) };
}

it('a quad that was added and removed again has not changed', () => {
  assert.deepEqual(netOf('x p y', ['+a p b', '-a p b', '+c p d'], 'c p d'), {
    added: ['c p d'],
    removed: [],
    unsure: [],
  });
});

it('a quad that was removed and added again is unsure, if its terms were unused meanwhile', () => {
  const rows = ['-a p b', '+a p b'];
  assert.deepEqual(netOf('x p y', rows, 'a p b').unsure, ['a p b']);
  assert.deepEqual(netOf('a p y. x p b', rows, 'a p b').unsure, []);
});

it('a predicate that was in no quad meanwhile makes its quads unsure', () => {
  const rows = ['-a p b', '+a p b'];
  assert.deepEqual(netOf('a q y. x q b', rows, 'a p b').unsure, ['a p b']);
});

it('G-161: hidden quads of a predicate do not tell that it was always in use', () => {
  const unsureWith = (data: string) => {
    const reader = snapshotOf(quadsOf(`a q y. x q b. a p b${data}`));
    const builder = new NetChangesBuilder(reader.visibleTo(iriPatterns(['http://example.org/default'])));
    for (const removes of [true, false]) builder.addTexts(quadsOf('a p b')[0]!, removes);
    return builder.finish().unsure.length;
  };
  assert.equal(unsureWith('. h p i hidden'), unsureWith(''));
});

it('a removed quad is unsure alone if the dictionary has dropped a term', () => {
  const data = 'a p y. x p b';
  assert.deepEqual(netOf(data, ['-a p b'], ''), { added: [], removed: ['a p b'], unsure: [] });
  assert.deepEqual(netOf(data, ['-a p gone'], ''), { added: [], removed: [], unsure: ['a p gone'] });
});

it('a quad that moved to another graph is removed from one and added to the other', () => {
  const net = netOf('a q y g. x p b h', ['-a p b g', '+a p b h'], 'a p b h');
  assert.deepEqual(net, { added: ['a p b'], removed: ['a p b'], unsure: [] });
});

it('dropped terms have ids, whatever the case of their language tags', () => {
  const present = snapshotOf(quadsOf('a p b'));
  const builder = new NetChangesBuilder(present);
  const [quad] = quadsOf('a p "gone"@en');
  builder.addTexts(quad!, true);
  const { find, text, termCount } = builder.finish();
  const id = find('"gone"@EN');
  assert.ok(id > termCount);
  assert.equal(text(id), '"gone"@en');
  assert.equal(find('"never"'), 0);
  assert.equal(find('<http://example.org/a>'), present.find('<http://example.org/a>'));
});

it('rows of the system graph are left out', () => {
  const builder = new NetChangesBuilder(snapshotOf(quadsOf('a p b')));
  const [quad] = quadsOf('x p y');
  builder.addTexts({ ...quad!, graph: `<${SYSTEM_GRAPH}>` }, true);
  builder.addRows(Uint32Array.of(2, 3, 4, 1));
  const { added, removed, unsure } = builder.finish();
  assert.deepEqual([added.length, removed.length, unsure.length], [0, 0, 0]);
});
