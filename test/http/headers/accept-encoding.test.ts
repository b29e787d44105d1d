import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsGzip } from '../../../src/http/headers/accept-encoding.ts';

for (const [header, accepts] of [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['br, GZIP;q=0.5', true],
  ['x-gzip', true],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['gzip; q=0.0', false],
  ['identity', false],
  ['gzip;q=0.5, identity', false],
  ['gzip, identity;q=0.5', true],
  ['deflate, br', false],
  ['gzip;level=9', false],
] as const) {
  test(`G-63: Accept-Encoding ${header ?? '(none)'} ${accepts ? 'allows' : 'does not allow'} gzip`, () => {
    assert.equal(acceptsGzip(header), accepts);
  });
}
