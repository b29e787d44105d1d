/**
 * Runs the suite's current source, w3c/ldp-testsuite, which was never released. `LDP_TESTSUITE`
 * names the archive that its build makes, with all that it needs (`ldp-testsuite-*-shaded.jar`).
 */
import { existsSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { type ContainerKind, createContainer, createResource, optionsFor } from './containers.ts';
import { MAIN, runTests } from './java.ts';
import { findSuite, xmlBindings } from './release.ts';
import type { Outcome } from './results.ts';

/** Finds the archive; the release has the library that it needs besides. */
export async function findCurrentSuite(): Promise<
  { readonly classPath: string } | { readonly missing: string }
> {
  const archive = process.env['LDP_TESTSUITE'];
  if (archive === undefined) return { missing: 'LDP_TESTSUITE does not name an archive of the suite' };
  if (!existsSync(archive)) return { missing: `LDP_TESTSUITE names ${archive}, which does not exist` };
  const release = await findSuite();
  if ('missing' in release) return release;
  return { classPath: [resolve(archive), xmlBindings].join(delimiter) };
}

/** Runs all tests on one container, as `runSuite` does. The suite has not been changed. */
export async function runCurrentSuite(
  classPath: string,
  baseUrl: string,
  kind: ContainerKind,
): Promise<Outcome[]> {
  const resource = await createResource(baseUrl);
  const container = await createContainer(baseUrl, kind, resource);
  return runTests(classPath, () => [MAIN, ...optionsFor(kind, container, resource)]);
}
