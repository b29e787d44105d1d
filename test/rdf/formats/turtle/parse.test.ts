import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { parseTurtle } from '../../../../src/rdf/formats/turtle/parse.ts';
import { loaderFlags, moduleUrl } from '../../../support/project.ts';

/**
 * Runs in a separate process, because a loaded module stays loaded: is N3.js loaded before and
 * after a document?
 */
const program = `
  import { createRequire } from 'node:module';
  const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/n3/'));
  const { parseRdf } = await import('${moduleUrl('src/rdf/formats/parse-document')}');
  const before = loaded();
  parseRdf(Buffer.from('<urn:s> <urn:p> <urn:o> .'), { mediaType: 'text/turtle', baseIri: 'urn:x:base' });
  console.log(before, loaded());
`;

test('a thread loads N3.js only when it parses Turtle', () => {
  const args = [...loaderFlags, '--input-type=module', '--eval', program];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim(), 'false true');
});

const options = { mediaType: 'text/turtle', baseIri: 'urn:x:base' } as const;

test('a truncated document does not affect the next one', () => {
  const whole = Buffer.from('@prefix p: <urn:p:> .\np:s p:p "a", 1 .\n');
  const alone = parseTurtle(whole, options);
  for (let length = 0; length < whole.length; length++) {
    try {
      parseTurtle(whole.subarray(0, length), options);
    } catch {
      // Most prefixes of a document are invalid.
    }
    assert.deepEqual(parseTurtle(whole, options), alone);
  }
});

test('prefixes and blank node labels are local to a document', () => {
  parseTurtle(Buffer.from('@prefix p: <urn:p:> . p:s p:p _:b .'), options);
  assert.throws(() => parseTurtle(Buffer.from('p:s p:p _:b .'), options), /p:/);
});

test('text is split at line ends if possible, and never within a character', () => {
  const lines = '<urn:s> <urn:p> "Grüße €" .\n'.repeat(3);
  const long = `<urn:s> <urn:p> "${'€'.repeat(50)}" .`;
  const bytes = Buffer.from(lines + long);
  const whole = parseTurtle(bytes, options);
  for (let chunkBytes = 1; chunkBytes < bytes.length; chunkBytes++) {
    assert.deepEqual(parseTurtle(bytes, { ...options, chunkBytes }), whole, `${chunkBytes} bytes at a time`);
  }
});
