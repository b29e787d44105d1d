import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownTarget } from '../../../src/http/server/shown-target.ts';
import { ending } from '../../support/ending.ts';

test('a request target is logged as it was sent', () => {
  for (const target of [
    '/context?graph=http://example.org:8080/a@b',
    '/resource?uri=mailto:anna@example.org',
    '/ldp/a@b:c@d',
    '/ldpath/path?path=foaf:knows%20/%20foaf:name&uri=http%3A%2F%2Fexample.org%3A8080%2Fa%40b',
    '/context?graph=http://anna@example.org/',
  ]) {
    assert.equal(shownTarget(target), target);
  }
});

test('the password of a URI is not logged', () => {
  for (const [target, shown] of [
    ['/context?graph=http://anna:geheim@example.org/', '/context?graph=http://anna:***@example.org/'],
    [
      '/resource?uri=http%3A%2F%2Fanna%3Ageheim%40example.org%2F',
      '/resource?uri=http%3A%2F%2Fanna:***%40example.org%2F',
    ],
    ['/x?a=ftp%3a//:geheim@h&b=http://b:geheim@h', '/x?a=ftp%3a//:***@h&b=http://b:***@h'],
    ['/x?a=http://anna:ge:hei%6d@example.org', '/x?a=http://anna:***@example.org'],
    ['/x?a=http://an%20na:geheim@h', '/x?a=http://an%20na:***@h'],
  ] as const) {
    assert.equal(shownTarget(target), shown);
  }
});

test('a long target is truncated after the removal of passwords', () => {
  assert.equal(shownTarget('x'.repeat(2048)).length, 2048);
  const long = shownTarget('x'.repeat(60_000));
  assert.equal(long, `${'x'.repeat(2048)}…`);
  const start = `/context?${'x'.repeat(2000)}=http://anna:`;
  assert.equal(shownTarget(`${start}${'geheim'.repeat(20)}@example.org`), `${start}***@example.org`);
});

/** So long that quadratic time would be an hour. */
const HOSTILE = 2_000_000;

test('a hostile target is logged in linear time', () => {
  for (const part of ['http://a:', '://', ':%2f%2f', 'a@', '%40', '%3a', 'a:b', ':']) {
    for (const [start, end] of [
      ['', '@'],
      ['http://', ''],
      ['@http://', '/'],
    ] as const) {
      const target = `${start}${part.repeat(HOSTILE / part.length)}${end}`;
      assert.ok(ending(() => shownTarget(target)).length <= 2049, part);
    }
  }
});
