import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ascii } from '../../../src/rdf/formats/chunk-writer.ts';
import {
  commonTable,
  localNameStart,
  PrefixTable,
  prefixTable,
} from '../../../src/rdf/formats/prefix-table.ts';

/** Counts the bytes that are read from it. */
function counted(bytes: Uint8Array): { readonly bytes: Uint8Array; readonly reads: () => number } {
  let reads = 0;
  const get = (target: Uint8Array, key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
    return Reflect.get(target, key) as unknown;
  };
  return { bytes: new Proxy(bytes, { get }), reads: () => reads };
}

describe('PrefixTable', () => {
  const lengthOfNamespace = 512;
  const namespaceOf = (i: number) => `${`http://x${100 + i}.example/`.padEnd(lengthOfNamespace - 1, 'y')}/`;
  const own = Array.from({ length: 100 }, (_, i) => [`p${i}`, namespaceOf(i)] as const);
  const table = new PrefixTable(own);
  const found = (bytes: Uint8Array, length: number) =>
    table.namespaceOf(bytes, 0, localNameStart(bytes, 0, length))?.prefix;

  it('finds each of many namespaces of the same length', () => {
    for (const [prefix, iri] of own) {
      const bytes = ascii(`<${iri}name>`);
      assert.equal(found(bytes, bytes.length), prefix);
    }
  });

  it('compares an IRI with few of them', () => {
    const iri = ascii(`<${namespaceOf(100)}name>`);
    const { bytes, reads } = counted(iri);
    assert.equal(found(bytes, iri.length), undefined);
    assert.ok(reads() < 10 * lengthOfNamespace, `${reads()} reads`);
  });

  it('is kept for graphs that are read in turn', () => {
    const text = (i: number) => `ex http://x${i}.example/`;
    const first = prefixTable(text(0), commonTable);
    for (let i = 1; i < 50; i++) assert.notEqual(prefixTable(text(i), commonTable), first);
    assert.equal(prefixTable(text(0), commonTable), first);
    assert.notEqual(prefixTable(text(0), new PrefixTable([], commonTable)), first);
  });

  it('prefers the first of two prefixes for one namespace, and own ones to common ones', () => {
    const foaf = 'http://xmlns.com/foaf/0.1/';
    const two = [
      ['a', foaf],
      ['b', foaf],
    ] as const;
    assert.equal(new PrefixTable(two, commonTable).byIri(foaf)?.prefix, 'a');
  });

  it('hides those of the next layers whose names mean something else', () => {
    const server = new PrefixTable(
      Object.entries({ foaf: 'urn:server:', ex: 'urn:ex:', x: 'urn:x:' }),
      commonTable,
    );
    const graph = new PrefixTable(Object.entries({ ex: 'urn:graph:', mine: 'urn:x:' }), server);
    const expected = {
      'urn:graph:': 'ex',
      'urn:ex:': undefined,
      'urn:x:': 'mine',
      'urn:server:': 'foaf',
      'http://xmlns.com/foaf/0.1/': undefined,
      'http://purl.org/dc/terms/': 'dct',
    };
    for (const [iri, prefix] of Object.entries(expected)) {
      assert.equal(graph.byIri(iri)?.prefix, prefix, iri);
      const bytes = ascii(`<${iri}name>`);
      assert.equal(graph.namespaceOf(bytes, 0, iri.length + 1)?.prefix, prefix, iri);
    }
    assert.equal(graph.size, commonTable.size + 5);
    assert.equal(graph.byPrefix('foaf')?.iri, 'urn:server:');
    assert.equal(graph.longestName, 'schemas'.length);
  });
});
