import assert from 'node:assert/strict';
import { it } from 'node:test';
import { compilePath } from '../../../src/ldpath/compile/compiler.ts';
import { errorOf } from '../support.ts';

function messageOf(path: string): string {
  return errorOf(() => compilePath(path, { prefixes: { ex: 'http://example.org/' } })).message;
}

it('an error shows up to 60 characters of the unexpected token, at any position', () => {
  const before = `ex:a | ${'ex:b | '.repeat(20)}ex:c `;
  for (const path of [']', `${before}]`, `${before}"${'x'.repeat(58)}"`]) {
    const shown = path.startsWith(before) ? path.slice(before.length) : path;
    assert.ok(messageOf(path).includes(shown), messageOf(path));
    assert.ok(!messageOf(path).includes('...'), messageOf(path));
  }
  const long = `"${'x'.repeat(59)}"`;
  assert.ok(messageOf(`${before}${long}`).includes(`${long.slice(0, 60)}...`));
});

it('an error lists all tokens that were expected', () => {
  const message = messageOf('ex:a ex:b');
  assert.match(message, /, [^,]+ or /, message);
});
