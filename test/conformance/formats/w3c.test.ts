import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFile } from '../../support/project.ts';
import { BASE, startServer } from '../../support/server-process.ts';
import { findSuites } from './find-suites.ts';
import { contextArguments, jsonLdSuites } from './json-ld-manifest.ts';
import { knownFailures } from './known-failures.ts';
import { rdfSuites } from './rdf-manifest.ts';
import { type SuiteOutcome, writeReport } from './report.ts';
import { runTest } from './run-test.ts';
import { TestedServer } from './tested-server.ts';

const document = projectFile('docs/conformance.md');

/**
 * `npm run test:formats` sets FORMATS_REPORT, which writes the report. It fails if suites are
 * missing, which `npm test` skips.
 */
test('the W3C suites for RDF formats find exactly the known failures', async (context) => {
  const { rdf, jsonLd, source } = await findSuites();
  const suites = [...(rdf ? rdfSuites(rdf) : []), ...(jsonLd ? jsonLdSuites(jsonLd) : [])];
  for (const [repository, folder, variable] of [
    ['w3c/rdf-tests', rdf, 'RDF_TESTS'],
    ['w3c/json-ld-api', jsonLd, 'JSON_LD_TESTS'],
  ] as const) {
    if (folder !== undefined) continue;
    const missing = `git could not fetch ${repository}; ${variable} may name a checkout`;
    assert.ok(!process.env['FORMATS_REPORT'], missing);
    await context.test(repository, { skip: missing });
  }
  if (suites.length === 0) return context.skip('no suite is available');
  const { url } = await startServer(context, ['--memory', ...(jsonLd ? contextArguments(jsonLd) : [])]);
  const server = new TestedServer(url, BASE);
  const done: SuiteOutcome[] = [];
  for (const { name, tests } of suites) {
    const outcomes = [];
    for (const each of tests) outcomes.push(await runTest(server, each));
    done.push({ name, outcomes });
  }
  context.diagnostic(`The suites are of ${source}.`);
  if (process.env['FORMATS_REPORT']) await writeReport(document, source, done, knownFailures);
  for (const { name, outcomes } of done) await context.test(name, () => checkOutcomes(outcomes));
});

function checkOutcomes(outcomes: SuiteOutcome['outcomes']): void {
  const failures = outcomes.filter(({ status }) => status === 'fail');
  const isKnown = (test: string) => knownFailures[test] !== undefined;
  assert.deepEqual(
    failures.filter(({ test }) => !isKnown(test)),
    [],
    'no test fails that is not known to fail',
  );
  const passes = outcomes.filter(({ status, test }) => status === 'pass' && isKnown(test));
  assert.deepEqual(passes, [], 'no test passes that is known to fail');
  assert.ok(
    outcomes.some(({ status }) => status === 'pass'),
    'some test passes',
  );
}
