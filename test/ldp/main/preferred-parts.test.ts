import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allParts, partsVariant, preferredParts } from '../../../src/ldp/main/preferred-parts.ts';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';

const { PreferMinimalContainer: M, PreferContainment: C, PreferMembership: B, PreferEmptyContainer } = ldp;

function sent(include: string[], omit: string[] = []): string | undefined {
  const parts = preferredParts({ include, omit });
  return parts && partsVariant(parts);
}

test('5.5, L-20: included parts are added to the minimal representation', () => {
  assert.equal(sent([M]), '.m');
  assert.equal(sent([PreferEmptyContainer]), '.m');
  assert.equal(sent([C]), '.mc');
  assert.equal(sent([B]), '.mb');
  assert.equal(sent([M, B]), '.mb');
  assert.equal(sent([C, B]), '');
});

test('5.5: omitted parts are removed after included parts are added', () => {
  assert.equal(sent([], [C]), '.mb');
  assert.equal(sent([], [B, C]), '.m');
  assert.equal(sent([], [M]), '.cb');
  assert.equal(sent([C, B], [B]), '.mc');
  assert.equal(sent([M], [M]), '.');
});

test('L-21: unknown IRIs are ignored', () => {
  assert.equal(sent(['urn:x:other']), undefined);
  assert.equal(sent(['urn:x:other'], [C]), '.mb');
  assert.equal(sent(['urn:x:other', C]), '.mc');
});

test('G-71: each choice has a name of its own', () => {
  const choices = [true, false].flatMap((minimal) =>
    [true, false].flatMap((containment) =>
      [true, false].map((membership) => partsVariant({ minimal, containment, membership })),
    ),
  );
  assert.equal(new Set(choices).size, 8);
  assert.equal(partsVariant(allParts), '');
});
