import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareCodePoints } from '../../../src/rdf/model/code-points.ts';
import { iriPatterns, matchesPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { visiblePages } from '../../../src/services/contexts/visible-names.ts';
import { SortedNames } from '../../../src/snapshot/graphs/sorted-names.ts';

const anyName = fc.string({ unit: fc.constantFrom('a', 'b', '/', '\u{1F600}', '\uFFFC'), maxLength: 4 });
const anyPattern = fc.tuple(anyName, fc.constantFrom('', '*', '/*')).map((parts) => parts.join(''));

test('G-161: a list has the names that match, in order, whatever else there is', () => {
  fc.assert(
    fc.property(
      fc.array(anyName),
      fc.array(anyPattern),
      anyName,
      fc.tuple(fc.nat(4), fc.nat(6)),
      (names, patterns, prefix, [offset, limit]) => {
        const visible = iriPatterns(patterns);
        const sorted = new SortedNames(new Set(names), 3);
        const options = { prefix, offset, limit, visible };
        const listed = [...visiblePages(sorted, options)].flatMap((page) => page.names);
        const expected = [...new Set(names)]
          .filter((name) => name.startsWith(prefix) && matchesPatterns(visible, name))
          .sort(compareCodePoints);
        assert.deepEqual(listed, expected.slice(offset, offset + limit));
      },
    ),
    { numRuns: 1000 },
  );
});

test('G-161: pages have as many names, however many hidden ones are between them', () => {
  const visible = iriPatterns(['urn:v*', 'urn:x:1']);
  const shown = Array.from({ length: 1200 }, (_, index) => `urn:v${index}`);
  const pagesOf = (names: string[]) =>
    [
      ...visiblePages(new SortedNames(names), {
        prefix: '',
        offset: 0,
        limit: Number.POSITIVE_INFINITY,
        visible,
      }),
    ].map((page) => page.names.length);
  const hidden = Array.from({ length: 5000 }, (_, index) => `urn:${index % 2 === 0 ? 'a' : 'w'}${index}`);
  assert.deepEqual(pagesOf(shown), [512, 512, 176]);
  assert.deepEqual(pagesOf([...hidden, ...shown]), [512, 512, 176]);
});
