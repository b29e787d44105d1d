import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseLdpPath } from '../../../src/ldp/main/path.ts';

function parsed(rest: string) {
  const path = parseLdpPath(rest);
  return path.ok ? path.value : path.error.code;
}

test('L-4: escapes of unreserved characters are decoded, others are written in upper case', () => {
  assert.deepEqual(parsed('/a/b.c'), { path: '/a/b.c', slash: false });
  assert.deepEqual(parsed('/%61%2dB/%c3%a4%2f'), { path: '/a-B/%C3%A4%2F', slash: false });
  assert.deepEqual(parsed('/a%7Eb~'), { path: '/a~b~', slash: false });
  assert.deepEqual(parsed("/a!$&'()*+,;=:@b"), { path: "/a!$&'()*+,;=:@b", slash: false });
  assert.deepEqual(parsed('/.well-known/..x'), { path: '/.well-known/..x', slash: false });
});

test('L-3: a slash at the end is separated from the path', () => {
  assert.deepEqual(parsed(''), { path: '', slash: false });
  assert.deepEqual(parsed('/'), { path: '', slash: true });
  assert.deepEqual(parsed('/a/'), { path: '/a', slash: true });
  assert.deepEqual(parsed('/%61/'), { path: '/a', slash: true });
});

test('L-4: empty and dot segments, control characters, broken escapes and non-ASCII characters are rejected', () => {
  const bad = ['//', '/a//b', '/a//', '/.', '/a/..', '/%2e', '/%2E%2e/a', '/.%2e/', '/a%2F..%2Fb', '/..%5Ca'];
  bad.push(
    '/a%00',
    '/%1f',
    '/%7F',
    '/%',
    '/%4',
    '/%zz',
    '/a b',
    '/ä',
    '/a"',
    '/<a>',
    '/a\\b',
    '/a|b',
    '/{a}',
  );
  for (const rest of bad) assert.equal(parsed(rest), 'bad-path', rest);
  assert.equal(parsed(`/${'a'.repeat(8192)}`), 'bad-path');
});

test('normalising a normalised path changes nothing', () => {
  const segment = fc.string({
    minLength: 1,
    unit: fc.constantFrom('a', '.', '%41', '%2f', '%c3', '-', '+', '%2e'),
  });
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const path = parseLdpPath(`/${segments.join('/')}`);
      if (!path.ok) return;
      assert.deepEqual(parsed(path.value.path), path.value);
      assert.ok(!path.value.path.split('/').some((part) => part === '.' || part === '..'));
    }),
  );
});
