/**
 * Runs the W3C test suite for LDP 1.0 (Java, org.w3:ldp-testsuite:0.1.1) against a server. Needs
 * Java and Maven, which downloads the suite once into a folder that git ignores.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Outcome, readResults } from './results.ts';

export const containerKinds = ['basic', 'direct', 'indirect'] as const;
export type ContainerKind = (typeof containerKinds)[number];

const MAIN = 'org.w3.ldp.testsuite.RunLdpTestSuite';
const here = fileURLToPath(new URL('.', import.meta.url));
const cache = fileURLToPath(new URL('../../../.cache/ldp-suite', import.meta.url));
/** A property that the server alone writes. */
const READ_ONLY = 'http://purl.org/dc/terms/created';
/**
 * The suite dates from 2014, and its libraries access packages that Java blocks since version 16.
 * Java 8, which does not know these options, does not read the variable that passes them either.
 */
const OPENED = `java.io java.lang java.lang.invoke java.lang.reflect java.math java.net java.nio java.nio.charset
  java.security java.text java.time java.util java.util.concurrent java.util.function java.util.regex java.util.stream
  sun.net.spi sun.net.www.protocol.http sun.nio.ch sun.nio.cs sun.reflect.annotation sun.util.calendar`;
const JAVA_OPTIONS = OPENED.split(/\s+/)
  .map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)
  .join(' ');
/**
 * Two classes of the suite create their resource in a method `setup` that is to run before it.
 * Their parent also has a method of that name, and the suite's runner (TestNG 6.8.8) runs only one
 * of the three; which one depends on the Java machine. The tests of the others are skipped. So the
 * two run once more as subclasses, which create the resource in their constructor.
 */
const ownClasses = ['MemberResourceTest', 'NonRDFSourceTest'];
const FETCH_MS = 300_000;
const RUN_MS = 120_000;

/** Finds the archives of the suite, and fetches missing ones; or says why it cannot. */
export async function findSuite(): Promise<{ readonly classPath: string } | { readonly missing: string }> {
  if (!(await runs('javac', ['-version']))) return { missing: 'there is no Java development kit' };
  const library = join(cache, 'lib');
  if (!existsSync(library) && !(await fetchSuite(library))) {
    return { missing: 'Maven is missing, or could not fetch org.w3:ldp-testsuite:0.1.1' };
  }
  const own = join(cache, 'own');
  const sources = ownClasses.map((name) => join(here, 'pathpool', `${name}.java`));
  const compiled = await runs('javac', ['-nowarn', '-cp', join(library, '*'), '-d', own, ...sources]);
  if (!compiled) throw new Error(`javac could not compile ${sources.join(' and ')}.`);
  return { classPath: [own, join(library, '*')].join(delimiter) };
}

async function fetchSuite(library: string): Promise<boolean> {
  const partial = `${library}.partial`;
  await rm(partial, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  if (!(await runs('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), ...goal], FETCH_MS))) return false;
  await rename(partial, library);
  return true;
}

/**
 * Runs all tests on one container. `baseUrl`: of a server whose base URI is that URL, as
 * `http://localhost:8080`.
 */
export async function runSuite(classPath: string, baseUrl: string, kind: ContainerKind): Promise<Outcome[]> {
  const container = await createContainer(baseUrl, kind);
  const resource = await createResource(baseUrl);
  const about = ['--server', container, `--${kind}`, '--non-rdf', '--cont-res', resource];
  return merged([
    await runWith(classPath, (output) => {
      return [MAIN, ...about, '--read-only-prop', READ_ONLY, '--output', output];
    }),
    await runWith(classPath, async (output) => {
      const file = join(output, 'own.xml');
      await writeFile(file, ownSuite({ [`${kind}Container`]: container, readOnlyProp: READ_ONLY, output }));
      return ['org.testng.TestNG', '-d', join(output, 'test-output'), file];
    }),
  ]);
}

/** Runs the arguments that `command` returns for a folder of output. */
async function runWith(
  classPath: string,
  command: (output: string) => readonly string[] | Promise<readonly string[]>,
): Promise<Outcome[]> {
  const output = await mkdtemp(join(tmpdir(), 'ldp-suite-'));
  try {
    await runs('java', ['-cp', classPath, ...(await command(output))], RUN_MS);
    return readResults(await readFile(join(output, 'test-output', 'testng-results.xml'), 'utf8'));
  } finally {
    await rm(output, { recursive: true, force: true });
  }
}

function ownSuite(parameters: Readonly<Record<string, string>>): string {
  const set = Object.entries(parameters).map(
    ([name, value]) => `<parameter name="${name}" value="${value}"/>`,
  );
  const classes = ownClasses.map((name) => `<class name="pathpool.${name}"/>`);
  return `<!DOCTYPE suite SYSTEM "http://testng.org/testng-1.0.dtd">
<suite name="LDP">${set.join('')}<test name="LDP"><classes>${classes.join('')}</classes></test></suite>`;
}

/**
 * Merges the outcomes of each test: a failure has priority, and a test counts as skipped only if it
 * always was.
 */
function merged(found: readonly (readonly Outcome[])[]): Outcome[] {
  const rank = { fail: 3, pass: 2, skip: 1 } as const;
  const weight = (outcome: Outcome) => rank[outcome.status] + (outcome.message === '' ? 0 : 0.5);
  const best = new Map<string, Outcome>();
  for (const outcome of found.flat()) {
    const key = `${outcome.on} ${outcome.test}`;
    const known = best.get(key);
    if (!known || weight(outcome) > weight(known)) best.set(key, outcome);
  }
  return [...best.values()].sort((a, b) => (a.on + a.test < b.on + b.test ? -1 : 1));
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
  throw new Error(`POST of a ${type} failed with ${response.status}: ${await response.text()}`);
}

/**
 * Whether a command ran successfully. Its output is discarded; the suite's verdict is in its
 * report.
 */
function runs(command: string, args: readonly string[], timeout = 30_000): Promise<boolean> {
  return new Promise((resolve) => {
    const env = { ...process.env, JDK_JAVA_OPTIONS: JAVA_OPTIONS };
    const child = spawn(command, args, { env, stdio: 'ignore', timeout, killSignal: 'SIGKILL' });
    child.once('error', () => resolve(false));
    child.once('exit', (status) => resolve(status === 0));
  });
}
