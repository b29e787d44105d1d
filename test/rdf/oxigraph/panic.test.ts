import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withBoundedOxigraph } from '../../../src/rdf/oxigraph/bounded.ts';
import { limitedOxigraph } from '../../../src/rdf/oxigraph/limited.ts';
import { throwPanics } from '../../../src/rdf/oxigraph/panic.ts';

const PANIC = 'ASK { FILTER("d"@en--ltr = "d"@en--ltr) }';
const MEBIBYTE = 1024 * 1024;

/** Returns a function that gives a report of Rust to the import of a module. */
function reporting(): (report: string) => void {
  const imports = { bg: { __wbg_error_1: () => undefined } };
  const bytes = new Uint8Array(4096);
  throwPanics(imports, () => bytes);
  const reporter = imports.bg.__wbg_error_1 as (address: number, bytes: number) => void;
  return (report) => {
    bytes.set(Buffer.from(report), 10);
    reporter(10, Buffer.byteLength(report));
  };
}

describe('a panic of Oxigraph', () => {
  it('is an error with its place and message, and is not written to standard error', (t) => {
    const print = t.mock.method(console, 'error', () => {});
    const { oxigraph } = limitedOxigraph(64 * MEBIBYTE);
    const store = new oxigraph.Store();
    assert.throws(() => store.query(PANIC), {
      name: 'OxigraphPanic',
      message: /^panicked at \S+dataset\.rs:\d+:\d+: internal error: entered unreachable code$/,
    });
    assert.equal(print.mock.callCount(), 0);
  });

  it('differs from a lack of memory, which remains a trap', () => {
    const { oxigraph } = limitedOxigraph(64 * MEBIBYTE);
    const store = new oxigraph.Store();
    const line = (_: unknown, i: number) => `<urn:s${i}> <urn:p> <urn:o${i}> .\n`;
    const format = 'application/n-triples';
    store.load(Array.from({ length: 2000 }, line).join(''), { format });
    const texts = 'STR(?a), STR(?b), STR(?c), STR(?d)';
    const pattern = '{ ?a <urn:p> ?b . ?c <urn:p> ?d }';
    const query = `SELECT (GROUP_CONCAT(CONCAT(${texts})) AS ?x) ${pattern}`;
    assert.throws(() => store.query(query), { name: 'RuntimeError', message: 'unreachable' });
  });

  it('is a lack of memory if a collection would be too large', () => {
    const report = reporting();
    report('panicked at alloc/raw_vec.rs:1:1:\ncapacity overflow\n\nStack:\n\nError');
    report('panicked at alloc.rs:1:1:\nmemory allocation of 9 bytes failed');
    assert.throws(() => report('panicked at a.rs:1:1:\nother\n\nStack:\n\nError'), {
      message: 'panicked at a.rs:1:1: other',
    });
  });

  it('makes its bounded instance be discarded', () => {
    const run = (text: string) =>
      withBoundedOxigraph(64 * MEBIBYTE, (oxigraph) => [oxigraph, new oxigraph.Store().query(text)]);
    const [first] = run('ASK {}');
    assert.equal(run('ASK {}')[0], first);
    assert.throws(() => run(PANIC), { name: 'OxigraphPanic' });
    assert.notEqual(run('ASK {}')[0], first);
  });
});
