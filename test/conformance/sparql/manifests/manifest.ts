import { DataFactory, Store } from 'n3';
import { Described, localName } from './described.ts';
import { PUBLISHED, type SuiteFiles } from './files.ts';

export interface ManifestTest {
  /** The folder of the suite and the test's name in it, as `aggregates/agg01`. */
  readonly name: string;
  /** Class of the test without its namespace, as `QueryEvaluationTest`. */
  readonly kind: string;
  readonly node: Described;
}

/**
 * Returns all tests of a suite's manifest (`aggregates`, or
 * `graph-store-protocol/manifest-direct.ttl`), in order; empty if the edition lacks the manifest.
 */
export function readManifest(files: SuiteFiles, suite: string): ManifestTest[] {
  const iri = `${PUBLISHED}${suite}${suite.endsWith('.ttl') ? '' : '/manifest.ttl'}`;
  if (!files.has(iri)) return [];
  const graph = new Store(files.quads(iri));
  const folder = suite.split('/')[0] ?? '';
  return new Described(graph, DataFactory.namedNode(iri)).list('mf:entries').map((node) => ({
    name: `${folder}/${localName(node.value)}`,
    kind: node.types[0] ?? '',
    node,
  }));
}
