/**
 * Runs the W3C test suite for LDP 1.0 (Java, org.w3:ldp-testsuite:0.1.1) against a server. Needs Java and Maven, which
 * fetches the suite once into a folder that git ignores.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Outcome, readResults } from './results.ts';

export const containerKinds = ['basic', 'direct', 'indirect'] as const;
export type ContainerKind = (typeof containerKinds)[number];

const MAIN = 'org.w3.ldp.testsuite.RunLdpTestSuite';
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/ldp-suite', import.meta.url));
/** A property that the server alone writes. */
const READ_ONLY = 'http://purl.org/dc/terms/created';
const FETCH_MS = 300_000;
const RUN_MS = 120_000;

/** Folder of the suite's archives, fetched where it is missing; or why it can't be had. */
export async function findSuite(): Promise<{ readonly library: string } | { readonly missing: string }> {
  if (!(await runs('java', ['-version']))) return { missing: 'Java is not installed' };
  const library = join(cache, 'lib');
  if (existsSync(library)) return { library };
  if (!(await runs('mvn', ['-version']))) return { missing: 'Maven is not installed' };
  const partial = join(cache, 'partial');
  await rm(partial, { recursive: true, force: true });
  const pom = join(here, 'pom.xml');
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  if (!(await runs('mvn', ['-q', '-B', '-f', pom, ...goal], FETCH_MS))) {
    return { missing: 'Maven could not fetch org.w3:ldp-testsuite:0.1.1' };
  }
  await rename(partial, library);
  return { library };
}

/** All tests on one container. `baseUrl`: of a server whose base URI is that URL, as `http://localhost:8080`. */
export async function runSuite(library: string, baseUrl: string, kind: ContainerKind): Promise<Outcome[]> {
  const output = await mkdtemp(join(tmpdir(), 'ldp-suite-'));
  try {
    const container = await createContainer(baseUrl, kind);
    const resource = await createResource(baseUrl);
    const options = ['--server', container, `--${kind}`, '--non-rdf', '--cont-res', resource];
    const args = ['-cp', join(library, '*'), MAIN, ...options, '--read-only-prop', READ_ONLY];
    await runs('java', [...args, '--output', output], RUN_MS);
    return readResults(await readFile(join(output, 'test-output', 'testng-results.xml'), 'utf8'));
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

const prefixes = `@prefix ldp: <http://www.w3.org/ns/ldp#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
`;

const bodies: Readonly<Record<ContainerKind, string>> = {
  basic: '<> dcterms:title "Basic" .',
  direct: '<> dcterms:title "Direct" ; ldp:membershipResource <> ; ldp:hasMemberRelation ldp:member .',
  indirect: `<> dcterms:title "Indirect" ; ldp:membershipResource <> ; ldp:hasMemberRelation ldp:member ;
  ldp:insertedContentRelation foaf:primaryTopic .`,
};

const typeOf: Readonly<Record<ContainerKind, string>> = {
  basic: 'BasicContainer',
  direct: 'DirectContainer',
  indirect: 'IndirectContainer',
};

function createContainer(baseUrl: string, kind: ContainerKind): Promise<string> {
  return create(baseUrl, kind, typeOf[kind], bodies[kind]);
}

/** An RDF source whose body claims to be a container, which it is not (http-api L-53). */
function createResource(baseUrl: string): Promise<string> {
  return create(baseUrl, 'resource', 'Resource', '<> a ldp:BasicContainer ; dcterms:title "No container" .');
}

/** The URI of what was made in the root container. */
async function create(baseUrl: string, slug: string, type: string, body: string): Promise<string> {
  const response = await fetch(`${baseUrl}/ldp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'text/turtle',
      Link: `<http://www.w3.org/ns/ldp#${type}>; rel="type"`,
      Slug: slug,
    },
    body: prefixes + body,
  });
  const location = response.headers.get('location');
  if (response.status === 201 && location !== null) return location;
  throw new Error(`POST of a ${type} was answered ${response.status}: ${await response.text()}`);
}

/** Whether a command ran, and ended well. Its output goes nowhere; the suite's verdict is in its report. */
function runs(command: string, args: readonly string[], timeout = 30_000): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore', timeout, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
