import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withOxigraph } from '../../../src/rdf/oxigraph/library.ts';

test('a trap in WebAssembly is reported as too-large, and the instance is replaced', () => {
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

test('other errors are rethrown, and the instance is kept', () => {
  const first = withOxigraph((oxigraph) => oxigraph);
  const fail = () => {
    throw new Error('a syntax error');
  };
  assert.throws(() => withOxigraph(fail), /a syntax error/);
  assert.equal(
    withOxigraph((oxigraph) => oxigraph),
    first,
  );
});
