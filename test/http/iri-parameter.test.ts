import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isAbsoluteIri } from '../../src/http/iri-parameter.ts';
import { ending } from '../support/ending.ts';

test('absolute IRIs are recognised', () => {
  for (const iri of [
    'http://example.org/g1',
    'http://example.org',
    'urn:x:g',
    'tag:a@b,2020:c',
    'mailto:a@b',
    'HTTP://a/%20b?q=[no'.replace('[', '%5B'),
    'http://a/b#frag?x/y',
    'http://[::1]:8080/x',
    'http://u:p@[2001:db8::1]/',
    'http://exämple.org/ü/日本',
    'http://a/😀',
    'a+b-c.1:x',
    'file:///x',
    'x:',
    'http://a/?\u{e000}',
  ]) {
    assert.ok(isAbsoluteIri(iri), iri);
  }
});

test('G-15: an absolute IRI is not relative, and has no white space and no forbidden characters', () => {
  for (const text of [
    '',
    'foo',
    '/path',
    '//host/path',
    '1a:b',
    ':x',
    'http://a/ b',
    'http://a/\tb',
    'http://a/\u00a0b',
    'http://a/\u3000b',
    'http://a/\u2028',
    ...[...'<>"{}|\\^`'].map((c) => `http://a/${c}`),
    'http://a/%',
    'http://a/%2',
    'http://a/%zz',
    'http://a/[x]',
    'http://[::1',
    'http://a/#b#c',
    'http://a/\0',
    'http://a/\u0085',
    'http://a/\ud800',
    'http://a/\ufffe',
    'http://a/\u{e000}',
    'ſ:x',
    '\u212a:x',
    ' http://a/',
    'http://a/\n',
  ]) {
    assert.equal(isAbsoluteIri(text), false, JSON.stringify(text));
  }
});

test('long hostile texts are checked in linear time', () => {
  for (const text of [
    `http://${'a@'.repeat(1_000_000)}[`,
    `a${'+'.repeat(2_000_000)}`,
    `x:${'?'.repeat(2_000_000)} `,
  ]) {
    assert.equal(
      ending(() => isAbsoluteIri(text)),
      false,
    );
  }
});

test('the fast path for usual IRIs agrees with the grammar', () => {
  // The rule of RFC 3987 for ASCII without IP literals.
  const ascii = "[A-Za-z0-9\\-._~!$&'()*+,;=:@/]|%[0-9A-Fa-f]{2}";
  const grammar = new RegExp(
    `^[A-Za-z][A-Za-z0-9+\\-.]*:(?:${ascii})*(?:\\?(?:${ascii}|\\?)*)?(?:#(?:${ascii}|\\?)*)?$`,
  );
  const character = fc.constantFrom(...'aZ09+-._~!$&\'()*,;=:@/?#%<>"{}|\\^` [\t\n\u007f');
  const text = fc
    .tuple(fc.constantFrom('', 'a:', 'http://', '1:', 'a+b:', ':'), fc.array(character))
    .map(([first, rest]) => first + rest.join(''));
  fc.assert(
    fc.property(text, (iri) => assert.equal(isAbsoluteIri(iri), grammar.test(iri))),
    { numRuns: 2_000 },
  );
});
