import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCredential, parseCredentials } from '../../../src/http/middleware/credentials.ts';
import { hashPassword } from '../../../src/http/middleware/password.ts';

const hash = await hashPassword('a', { logCost: 4, blockSize: 8, parallelism: 1 });

test('a credentials file has one credential per line, comments and empty lines', () => {
  const text = `# who may do what\n\nwrite anna ${hash}\r\n  read\tindexer-2  ${hash}  \n`;
  const found = parseCredentials(text).map(({ role, name }) => [role, name]);
  assert.deepEqual(found, [
    ['write', 'anna'],
    ['read', 'indexer-2'],
  ]);
});

for (const [line, words] of [
  [`admin anna ${hash}`, /'read' or 'write'/],
  [`write an:na ${hash}`, /name/],
  ['write anna secret', /hash-password/],
  ['write anna', /hash-password/],
  [`write anna ${hash} more`, /hash-password/],
] as const) {
  test(`${line.replace(hash, 'HASH')} is rejected`, () => {
    assert.throws(() => parseCredential(line), words);
    assert.throws(() => parseCredentials(`\n${line}`), /^Error: line 2: /);
  });
}

test('the error about a malformed line does not contain the password', () => {
  assert.throws(
    () => parseCredential('write anna top-secret'),
    (error) => {
      assert.doesNotMatch(String(error), /top-secret/);
      return true;
    },
  );
});
