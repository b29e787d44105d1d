/**
 * The W3C suites for SPARQL 1.1 come from a checkout of w3c/rdf-tests that RDF_TESTS names, or are
 * fetched once into a folder that git ignores.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../../../support/project.ts';
import { type Checkout, cacheFolder, cloneOf, fetchOnce, runs } from '../../checkout.ts';

export interface FoundSuites {
  /** With a folder for each suite. */
  readonly folder: string;
  readonly edition: 'current' | 'older';
  /** Shown in messages and reports. */
  readonly source: string;
}

const checkout: Checkout = {
  repository: 'https://github.com/w3c/rdf-tests',
  commit: 'ad541a5f0479f0798608c4801369d97b8e08b36f',
  folder: 'sparql/sparql11',
};
/**
 * The edition of about 2013, which has no tests of casts and of the graph store. It describes the
 * tests of the protocol in prose.
 */
const ARCHIVE = 'org.eclipse.rdf4j:rdf4j-sparql-testsuite:4.0.0';
const ARCHIVED = 'testcases-sparql-1.1-w3c';

const here = projectFile('test/conformance/sparql/manifests');

const current = cacheFolder('sparql-suites/w3c');
const older = cacheFolder('sparql-suites/rdf4j');

/**
 * Returns undefined if neither GitHub nor, for an older edition, Maven Central provides the suites.
 */
export async function findSuites(): Promise<FoundSuites | undefined> {
  const given = process.env['RDF_TESTS'];
  if (given !== undefined) {
    return { folder: join(given, checkout.folder), edition: 'current', source: 'w3c/rdf-tests' };
  }
  return (
    cachedSuites() ??
    ((await fetchOnce(current, checkout.folder, cloneOf(checkout))) ||
    (await fetchOnce(older, ARCHIVED, unpack))
      ? cachedSuites()
      : undefined)
  );
}

function cachedSuites(): FoundSuites | undefined {
  if (existsSync(current)) {
    const source = `w3c/rdf-tests ${checkout.commit.slice(0, 7)}`;
    return { folder: join(current, checkout.folder), edition: 'current', source };
  }
  if (!existsSync(older)) return undefined;
  return { folder: join(older, ARCHIVED), edition: 'older', source: ARCHIVE };
}

function unpack(folder: string): Promise<boolean> {
  const options = [
    `-DoutputDirectory=${folder}`,
    `-DmarkersDirectory=${join(folder, 'markers')}`,
    `-DincludeArtifactIds=${ARCHIVE.split(':')[1]}`,
    `-Dmdep.unpack.includes=${ARCHIVED}/**`,
  ];
  const goal = 'dependency:unpack-dependencies';
  return runs('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), goal, '-DexcludeTransitive=true', ...options]);
}
