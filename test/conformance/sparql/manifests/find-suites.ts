/**
 * The W3C suites for SPARQL 1.1 are no part of this repository: a checkout of w3c/rdf-tests that
 * RDF_TESTS names, or fetched once into a folder that git ignores.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface FoundSuites {
  /** With a folder for each suite. */
  readonly folder: string;
  readonly edition: 'current' | 'older';
  /** For people. */
  readonly source: string;
}

const COMMIT = 'ad541a5f0479f0798608c4801369d97b8e08b36f';
const REPOSITORY = 'https://github.com/w3c/rdf-tests';
const SUITES = 'sparql/sparql11';
/**
 * Of about 2013, when tests of casts and of the graph store were not there, and those of the
 * protocol were prose.
 */
const ARCHIVE = 'org.eclipse.rdf4j:rdf4j-sparql-testsuite:4.0.0';
const ARCHIVED = 'testcases-sparql-1.1-w3c';
const FETCH_MS = 90_000;

const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../../../.cache/sparql-suites', import.meta.url));

const current = join(cache, 'w3c');
const older = join(cache, 'rdf4j');

/**
 * Undefined where they can be had neither from GitHub nor, in an older edition, from Maven Central.
 */
export async function findSuites(): Promise<FoundSuites | undefined> {
  const given = process.env['RDF_TESTS'];
  if (given !== undefined) {
    return { folder: join(given, SUITES), edition: 'current', source: 'w3c/rdf-tests' };
  }
  return (
    cachedSuites() ??
    ((await fetched(current, SUITES, clone)) || (await fetched(older, ARCHIVED, unpack))
      ? cachedSuites()
      : undefined)
  );
}

function cachedSuites(): FoundSuites | undefined {
  if (existsSync(current)) {
    const source = `w3c/rdf-tests ${COMMIT.slice(0, 7)}`;
    return { folder: join(current, SUITES), edition: 'current', source };
  }
  if (!existsSync(older)) return undefined;
  return { folder: join(older, ARCHIVED), edition: 'older', source: ARCHIVE };
}

/** The folder is there when all of it is; `suites` is the folder in it that holds them. */
async function fetched(
  folder: string,
  suites: string,
  fetchInto: (folder: string) => Promise<boolean>,
): Promise<boolean> {
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  const isThere = (await fetchInto(partial)) && existsSync(join(partial, suites));
  if (isThere) await rename(partial, folder);
  else await rm(partial, { recursive: true, force: true });
  return isThere;
}

async function clone(folder: string): Promise<boolean> {
  const git = (...args: string[]) => runs('git', ['-C', folder, ...args]);
  return (
    (await git('init', '-q')) &&
    (await git('fetch', '-q', '--depth=1', REPOSITORY, COMMIT)) &&
    (await git('checkout', '-q', 'FETCH_HEAD', '--', SUITES))
  );
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

/** Whether a command ran, and ended well. */
function runs(command: string, args: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' };
    const child = spawn(command, args, { env, stdio: 'ignore', timeout: FETCH_MS, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
