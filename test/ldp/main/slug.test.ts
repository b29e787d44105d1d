import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nameAt, namesFromSlug } from '../../../src/ldp/main/slug.ts';

function name(slug: string, mediaType: string | null = null, count = 0): string | undefined {
  const form = namesFromSlug(slug, mediaType);
  return form && nameAt(form, count);
}

test('L-31: runs of other characters become one hyphen', () => {
  assert.equal(name('with some späcial chars'), 'with-some-sp-cial-chars');
  assert.equal(name('a/b//c'), 'a-b-c');
  assert.equal(name('keep_this.one-here'), 'keep_this.one-here');
});

test('L-31: valid escapes are decoded as UTF-8, and others are kept', () => {
  assert.equal(name('a%20b%C3%A4c'), 'a-b-c');
  assert.equal(name('100%'), '100-');
  assert.equal(name('%FF'), '-FF');
});

test('L-31: spaces around it and dots before it go, and nothing may be left', () => {
  assert.equal(name('  x  '), 'x');
  assert.equal(name('%20x%20'), 'x');
  assert.equal(name('..x.y'), 'x.y');
  assert.equal(name('...'), undefined);
  assert.equal(name(''), undefined);
});

test('L-5, L-31: no name ends in .meta, not even one that was cut', () => {
  assert.equal(name('x.meta'), 'x-meta');
  assert.equal(name('.meta'), 'meta');
  assert.equal(name(`${'x'.repeat(123)}.metadata`), `${'x'.repeat(123)}-meta`);
  assert.equal(name('x'.repeat(200))?.length, 128);
});

test('L-32: a binary without an extension gets the one of its type', () => {
  assert.equal(name('test', 'image/png'), 'test.png');
  assert.equal(name('test.jpg', 'image/png'), 'test.jpg');
  assert.equal(name('test', 'text/turtle'), 'test.ttl');
  assert.equal(name('test', 'application/x-unheard-of'), 'test');
  assert.equal(name('test', null), 'test');
});

test('L-31: a taken name gets a number, before an extension that the server added', () => {
  assert.equal(name('a', null, 1), 'a-1');
  assert.equal(name('a.png', 'image/png', 2), 'a.png-2');
  assert.equal(name('a', 'image/png', 2), 'a-2.png');
});

test('any slug yields a name that a path may contain, or no name', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('image/png', null), fc.nat(), (slug, mediaType, count) => {
      const found = name(slug, mediaType, count);
      if (found === undefined) return;
      assert.match(found, /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/);
      assert.doesNotMatch(found, /\.meta$/);
      assert.ok(found.length <= 128 + 20);
    }),
  );
});
