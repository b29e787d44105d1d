/**
 * Runs the W3C test suite for LDP 1.0 (Java, org.w3:ldp-testsuite:0.1.1) against a server. Needs
 * Java and Maven, which downloads the suite once into a folder that git ignores.
 */
import { existsSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { projectFile } from '../../support/project.ts';
import { cacheFolder } from '../checkout.ts';
import { createContainer, createResource, type OwnContainer, optionsFor } from './containers.ts';
import { MAIN, READ_ONLY, runs, runTests } from './java.ts';
import type { Outcome } from './results.ts';

const here = projectFile('test/conformance/ldp-suite');
const cache = cacheFolder('ldp-suite');
const library = join(cache, 'lib');
/** Was part of Java up to version 10; the suite needs it. */
export const xmlBindings = join(library, 'jaxb-api-2.3.1.jar');
/**
 * Two classes of the suite create their resource in a method `setup` that is to run before it.
 * Their parent also has a method of that name, and the suite's runner (TestNG 6.8.8) runs only one
 * of the three; which one depends on the Java machine. The tests of the others are skipped. So the
 * two run once more as subclasses, which create the resource in their constructor.
 */
const ownClasses = ['MemberResourceTest', 'NonRDFSourceTest'];
/**
 * Tests whose methods do nothing but return, as `javap -c` shows: they pass on any server. The
 * current source of the suite skips them, since other tests cover them.
 */
const withoutCode: ReadonlySet<string> = new Set([
  'testConformsBcLdpContainer',
  'testConformsContainerRdfResource',
  'testConformsDcLdpContainer',
  'testConformsRdfSourceLdpResource',
]);
const FETCH_MS = 300_000;

/** Finds the archives of the suite, and fetches missing ones; or says why it cannot. */
export async function findSuite(): Promise<{ readonly classPath: string } | { readonly missing: string }> {
  if (!(await runs('javac', ['-version']))) return { missing: 'there is no Java development kit' };
  if (!existsSync(library) && !(await fetchSuite())) {
    return { missing: 'Maven is missing, or could not fetch org.w3:ldp-testsuite:0.1.1' };
  }
  const own = join(cache, 'own');
  const sources = ownClasses.map((name) => join(here, 'pathpool', `${name}.java`));
  const compiled = await runs('javac', ['-nowarn', '-cp', join(library, '*'), '-d', own, ...sources]);
  if (!compiled) throw new Error(`javac could not compile ${sources.join(' and ')}.`);
  return { classPath: [own, join(library, '*')].join(delimiter) };
}

async function fetchSuite(): Promise<boolean> {
  const partial = `${library}.partial`;
  await rm(partial, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${partial}`];
  if (!(await runs('mvn', ['-q', '-B', '-f', join(here, 'pom.xml'), ...goal], { timeout: FETCH_MS })))
    return false;
  await rename(partial, library);
  return true;
}

/**
 * Runs all tests on one container. `baseUrl`: of a server whose base URI is that URL, as
 * `http://localhost:8080`.
 */
export async function runSuite(classPath: string, baseUrl: string, kind: OwnContainer): Promise<Outcome[]> {
  const resource = await createResource(baseUrl);
  const container = await createContainer(baseUrl, kind, resource);
  const options = optionsFor(kind, container, resource);
  const found = merged([
    await runTests(classPath, (output) => [MAIN, ...options, '--output', output]),
    await runTests(classPath, async (output) => {
      const file = join(output, 'own.xml');
      await writeFile(file, ownSuite({ [`${kind}Container`]: container, readOnlyProp: READ_ONLY, output }));
      return ['org.testng.TestNG', '-d', join(output, 'test-output'), file];
    }),
  ]);
  return found.map((outcome) =>
    outcome.status === 'pass' && withoutCode.has(outcome.test)
      ? { ...outcome, status: 'empty', message: 'Its method does nothing but return.' }
      : outcome,
  );
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
  const rank = { fail: 3, pass: 2, empty: 2, skip: 1 } as const;
  const weight = (outcome: Outcome) => rank[outcome.status] + (outcome.message === '' ? 0 : 0.5);
  const best = new Map<string, Outcome>();
  for (const outcome of found.flat()) {
    const key = `${outcome.on} ${outcome.test}`;
    const known = best.get(key);
    if (!known || weight(outcome) > weight(known)) best.set(key, outcome);
  }
  return [...best.values()].sort((a, b) => (a.on + a.test < b.on + b.test ? -1 : 1));
}
