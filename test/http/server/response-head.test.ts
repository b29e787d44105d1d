import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorsPolicy } from '../../../src/http/middleware/cors.ts';
import type { Header } from '../../../src/http/server/header.ts';
import { HeaderLines } from '../../../src/http/server/header-lines.ts';
import { ResponseHeadFormat } from '../../../src/http/server/response-head.ts';
import { fakeRequest, headText } from '../fake-request.ts';

const request = fakeRequest('GET', '/');
const none: readonly Header[] = [];

/** The lines of `Vary` in several responses of one kind, sent one after another. */
function varyLines(origins: readonly string[], headers: readonly Header[], isFormatted: boolean): string[] {
  const format = new ResponseHeadFormat(new CorsPolicy(origins));
  const response = isFormatted
    ? { status: 200, headers: none, lines: new HeaderLines(headers) }
    : { status: 200, headers };
  const heads = [1, 2, 3].map(() => headText(format.format(response, request)));
  assert.equal(new Set(heads).size, 1);
  for (const [name, value] of headers)
    if (name !== 'Vary') assert.ok(heads[0]!.includes(`${name}: ${value}`));
  return heads[0]!.split('\r\n').filter((line) => line.startsWith('Vary'));
}

test('G-25: Vary is one line, also where the response varies with the origin', () => {
  const tagged: Header = ['ETag', '"\u00e9"'];
  for (const isFormatted of [false, true]) {
    const lines = (origins: readonly string[], ...headers: Header[]) =>
      varyLines(origins, headers, isFormatted);
    const named = ['https://app.example'];
    assert.deepEqual(lines(named, tagged), ['Vary: Origin']);
    assert.deepEqual(lines(named, tagged, ['Vary', 'Accept, Prefer']), ['Vary: Accept, Prefer, Origin']);
    assert.deepEqual(lines(named, ['Vary', 'Accept'], tagged), ['Vary: Accept, Origin']);
    assert.deepEqual(lines(['*'], tagged, ['Vary', 'Accept']), ['Vary: Accept']);
    assert.deepEqual(lines([], tagged), []);
  }
});
