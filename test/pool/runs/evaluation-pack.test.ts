import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { resultKinds } from '../../../src/pool/evaluation-request.ts';
import { packEvaluations, unpackEvaluations } from '../../../src/pool/runs/evaluation-pack.ts';

const text = fc.string({ unit: 'binary' });

const evaluation = fc.record(
  {
    mode: fc.constantFrom('path' as const, 'program' as const),
    source: fc.oneof(text, fc.constantFrom('a', 'b')),
    start: text,
    known: fc.boolean(),
    resultKind: fc.constantFrom(...resultKinds),
    namespaces: fc.dictionary(fc.string(), text, { noNullPrototype: true }),
  },
  { requiredKeys: ['mode', 'source', 'start', 'known', 'resultKind'], noNullPrototype: true },
);

test('unpacking returns the evaluations that were packed', () => {
  fc.assert(
    fc.property(fc.array(evaluation), (evaluations) => {
      const pack = structuredClone(packEvaluations(evaluations));
      assert.deepEqual(unpackEvaluations(pack), evaluations);
    }),
  );
});
