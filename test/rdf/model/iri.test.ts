import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { iriError, isIri, isIriIn } from '../../../src/rdf/model/iri.ts';
import { ending } from '../../support/ending.ts';
import { iriGrammar, iris, nearIris } from '../../support/iris.ts';
import { moduleUrl } from '../../support/project.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

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
    'http://a/?\u{10fffd}',
    'http://[v1.a:b]/',
    'http://a:/',
    'http://',
    'http://a/\u00a0b',
    'http://a/\u3000b',
    'http://a/\u2028',
  ]) {
    assert.ok(isIri(iri), iri);
  }
});

test('G-15, G-17: a relative reference, or an IRI with a forbidden character, is not an absolute IRI', () => {
  for (const text of [
    '',
    'foo',
    '/path',
    '//host/path',
    '1a:b',
    ':x',
    'http://a/ b',
    'http://a/\tb',
    ...[...'<>"{}|\\^`'].map((c) => `http://a/${c}`),
    'http://a/%',
    'http://a/%2',
    'http://a/%zz',
    'http://a/[x]',
    'http://[::1',
    'http://[::1%25eth0]/',
    'http://[1:2:3:4:5:6:7:8:9]/',
    'http://[v1]/',
    'http://a:b/',
    'http://a:b@c@d/',
    'http://a\u007f',
    'urn:\ufffd',
    'urn:\u{e0001}',
    'urn:\u{10ffff}',
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
    assert.equal(isIri(text), false, JSON.stringify(text));
  }
});

test('long hostile texts are checked in linear time', () => {
  for (const text of [
    `http://${'a@'.repeat(1_000_000)}[`,
    `a${'+'.repeat(2_000_000)}`,
    `x:${'?'.repeat(2_000_000)} `,
  ]) {
    assert.equal(
      ending(() => isIri(text)),
      false,
    );
  }
});

test('G-17: long IRIs are checked whatever was checked before', async (t) => {
  for (const size of [341, 342, 402, 4_096, 4_097, 10_000, 1_000_000]) {
    await t.test(`${size} characters`, async () => {
      const valid = 'http://h/a'.padEnd(size, 'a');
      const invalid = 'http://h/a> <x> "injected" '.padEnd(size, 'a');
      assert.equal((await freshModule()).isIri(valid), true);
      assert.equal((await freshModule()).iriError(valid), undefined);
      const primed = await freshModule();
      // Of the lengths that the invalid one would have where bytes of an earlier IRI remain.
      primed.isIri('http://h/a'.padEnd(300, 'a'));
      primed.isIri('http://h/a'.padEnd(341, 'a'));
      assert.equal(primed.isIri(invalid), false);
      assert.match(primed.iriError(invalid)!, /">" is not allowed at character 11$/);
      assert.equal(primed.isIri(valid), true);
    });
  }
});

test('G-17: an IRI of characters beyond ASCII is as long as its UTF-8', async () => {
  for (const size of [100, 341, 1_365, 1_366, 4_096, 4_097]) {
    const { isIri } = await freshModule();
    assert.equal(isIri(`urn:${'日'.repeat(size - 4)}`), true);
    assert.equal(isIri(`urn:${'日'.repeat(size - 5)}>`), false);
  }
});

let copies = 0;

/** Returns the module as it is before its first use. */
async function freshModule(): Promise<typeof import('../../../src/rdf/model/iri.ts')> {
  return import(`${moduleUrl('src/rdf/model/iri')}?copy=${copies++}`);
}

test('a long text that was checked takes no memory', async () => {
  const before = process.memoryUsage().arrayBuffers;
  isIri('a'.repeat(4_000_000));
  iriError('a'.repeat(4_000_000));
  const taken = () => process.memoryUsage().arrayBuffers - before;
  for (let i = 0; i < 100 && taken() > 1_000_000; i++) {
    await turn();
    collectGarbage();
  }
  assert.ok(taken() <= 1_000_000);
});

test('G-17: IP literals are checked at any length', () => {
  for (const [address, valid] of [
    ['ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', true],
    ['0ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255', false],
    ['::1'.padStart(1_000_000, '0'), false],
    ['::1%eth0', false],
    ['', false],
    ['v', false],
    ['v1', false],
    ['v.a', false],
    ['v1.', false],
    ['vg.a', false],
    ['v1.a/b', false],
    ['v1.é', false],
    ["V1f.aZ09-._~!$&'()*+,;=:", true],
    [`v${'f'.repeat(1_000_000)}.a`, true],
    [`v1.${'a'.repeat(1_000_000)}`, true],
    [`v1.${'a'.repeat(1_000_000)}@`, false],
  ] as const) {
    assert.equal(isIri(`http://[${address}]:80/`), valid, address.slice(0, 50));
    assert.equal(iriError(`http://[${address}]:80/`) === undefined, valid, address.slice(0, 50));
  }
});

const encoder = new TextEncoder();

test('G-17: IRIs are accepted according to the grammar of RFC 3987', () => {
  const check = (text: string) => {
    assert.equal(isIri(text), iriGrammar.test(text), JSON.stringify(text));
    assert.equal(iriError(text) === undefined, isIri(text));
    if (!text.isWellFormed()) return;
    const bytes = encoder.encode(`x:${text}>`);
    assert.equal(isIriIn(bytes, 2, bytes.length - 1), isIri(text), JSON.stringify(text));
  };
  fc.assert(fc.property(nearIris, check), { numRuns: 5_000 });
  fc.assert(
    fc.property(iris, (iri) => {
      assert.ok(iriGrammar.test(iri), iri);
      check(iri);
    }),
    { numRuns: 1_000 },
  );
});

test('non-ASCII characters are accepted in the components that the grammar names', () => {
  for (let code = 0x80; code <= 0x10ffff; code += code % 0x1000 > 0xff0 || code % 0x1000 < 0x10 ? 1 : 7) {
    const character = String.fromCodePoint(code);
    for (const iri of [`urn:${character}`, `urn:?${character}`, `urn:#${character}`]) {
      assert.equal(isIri(iri), iriGrammar.test(iri), `${code.toString(16)} in ${iri.slice(0, 5)}`);
    }
  }
});

test('an error names the first forbidden character and its position', () => {
  for (const [text, error] of [
    ['a/b', '<a/b> is not an absolute IRI'],
    ['', '<> is not an absolute IRI'],
    ['http://é/a[1]', '<http://é/a[1]> is not an IRI: "[" is not allowed at character 11'],
    [
      'http://h/100%',
      '<http://h/100%> is not an IRI: "%" without two hexadecimal digits is not allowed at character 13',
    ],
    ['urn:😀\u0085', '<urn:😀\u0085> is not an IRI: U+0085 is not allowed at character 7'],
  ] as const) {
    assert.equal(iriError(text), error);
  }
});
