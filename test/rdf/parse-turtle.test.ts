import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** In a process of its own, since what is loaded once stays: whether N3.js is there before and after a document. */
const program = `
  import { createRequire } from 'node:module';
  const loaded = () => Object.keys(createRequire(import.meta.url).cache).some((file) => file.includes('/n3/'));
  const { parseRdf } = await import('./src/rdf/parse.ts');
  const before = loaded();
  parseRdf(Buffer.from('<urn:s> <urn:p> <urn:o> .'), { mediaType: 'text/turtle', baseIri: 'urn:x:base' });
  console.log(before, loaded());
`;

test('a thread that reads no Turtle does without N3.js', () => {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', program];
  assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim(), 'false true');
});
