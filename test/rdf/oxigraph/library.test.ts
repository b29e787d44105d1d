import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOxigraph } from '../../../src/rdf/oxigraph/library.ts';

test('an instance that trapped is replaced, and the document is too large', () => {
  const first = withOxigraph((oxigraph) => oxigraph);
  const trap = () => {
    throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' });
  };
  assert.throws(() => withOxigraph(trap), { code: 'too-large' });
  assert.notEqual(
    withOxigraph((oxigraph) => oxigraph),
    first,
  );
});

test('other errors are passed on, and the instance stays', () => {
  const first = withOxigraph((oxigraph) => oxigraph);
  const fail = () => {
    throw new Error('a fault of the syntax');
  };
  assert.throws(() => withOxigraph(fail), /a fault of the syntax/);
  assert.equal(
    withOxigraph((oxigraph) => oxigraph),
    first,
  );
});
