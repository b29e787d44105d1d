import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SparqlOutcome } from '../../src/sparql/messages.ts';
import { packOutput, unpackOutput } from '../../src/sparql/packed-output.ts';

const resultOf = (body: string): SparqlOutcome => ({
  ok: true,
  value: { sequence: 7, body: new Uint8Array(Buffer.from(body)) },
});

test('unpacking returns the results that were packed: short, long, empty and errors', () => {
  const long = resultOf('x'.repeat(10_000));
  const failed: SparqlOutcome = { ok: false, error: { code: 'internal', message: 'x', details: {} } };
  const results = [resultOf('a'), failed, long, resultOf(''), resultOf('bcd')];
  const state = { isBloated: true, isBroken: true, isTooBig: false, failure: undefined, image: undefined };
  const output = { results, times: [1, 2, 3, 4, 5], ...state };
  const left: SparqlOutcome[] = [];
  const packed = packOutput(output, (result) => {
    left.push(result);
    return result;
  });
  assert.equal(packed.bytes.length, 4);
  assert.equal(packed.bytes.buffer.byteLength, 4);
  assert.deepEqual(left, [failed, long]);
  assert.deepEqual(unpackOutput(structuredClone(packed)), output);
});
