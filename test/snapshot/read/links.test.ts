import assert from 'node:assert/strict';
import { it } from 'node:test';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { changeOf, ex } from '../../ldpath/affected/one-change.ts';

const hub = Array.from({ length: 100 }, (_, i) => `n${i} p hub. hub q n${i} h`).join('. ');

/** Both for data in the base run and for those in the log. */
const readers = (['data', 'added'] as const).map(
  (where) => changeOf({ data: '', [where]: hub }).present as SnapshotReader,
);

it('the links of a term are read no further than is allowed', () => {
  for (const reader of readers) {
    const [p, q, term] = ['p', 'q', 'hub'].map((name) => reader.find(`<http://example.org/${name}>`));
    for (const [look, predicate] of [
      ['linksTo', p!],
      ['linksFrom', q!],
    ] as const) {
      for (const asked of [0, predicate]) {
        const all = { quads: 150 };
        const links = reader[look](term!, asked, all)!;
        assert.deepEqual([links.length, all.quads], [200, 50]);
        assert.equal(links[0], predicate);
        assert.match(ex(reader.text(links[1]!)), /^n\d+$/);
        assert.equal(reader[look](term!, asked, all), undefined);
        assert.equal(all.quads, -1);
      }
    }
    const named = reader.within([reader.find('<http://example.org/h>')]);
    assert.deepEqual(named.linksTo(term!, 0, { quads: 150 }), []);
    assert.equal(named.linksTo(term!, 0, { quads: 99 }), undefined, 'those of other graphs count');
    assert.deepEqual(
      [named.isSubject(term!), named.isSubject(p!), reader.isSubject(0)],
      [true, false, false],
    );
  }
});

it('links in graphs that a reader hides do not count (G-161)', () => {
  for (const reader of readers) {
    const term = reader.find('<http://example.org/hub>');
    for (const look of ['linksTo', 'linksFrom'] as const) {
      const allowance = { quads: 10 };
      const nothing = reader.visibleTo(iriPatterns(['urn:other']));
      assert.deepEqual(nothing[look](term, 0, allowance), []);
      assert.deepEqual(nothing.within([reader.find('<http://example.org/h>')])[look](term, 0, allowance), []);
      assert.equal(allowance.quads, 10);
    }
  }
});
