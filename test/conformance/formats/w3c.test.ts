import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { BASE, startServer } from '../../support/server-process.ts';
import { findSuites } from './find-suites.ts';
import { jsonLdSuites } from './json-ld-manifest.ts';
import { knownFailures } from './known-failures.ts';
import { rdfSuites } from './rdf-manifest.ts';
import { type SuiteOutcome, writeReport } from './report.ts';
import { runTest } from './run-test.ts';
import { TestedServer } from './tested-server.ts';

const document = fileURLToPath(new URL('../../../docs/conformance.md', import.meta.url));

/** `npm run test:formats` sets FORMATS_REPORT, and so keeps the report if it has all suites. */
test('the W3C suites for RDF formats find exactly the failures that are known', async (context) => {
  const { rdf, jsonLd, source } = await findSuites();
  const suites = [...(rdf ? rdfSuites(rdf) : []), ...(jsonLd ? jsonLdSuites(jsonLd) : [])];
  if (suites.length === 0) {
    return context.skip('git could not fetch the suites; RDF_TESTS and JSON_LD_TESTS may name checkouts');
  }
  const { url } = await startServer(context, ['--memory']);
  const server = new TestedServer(url, BASE);
  const done: SuiteOutcome[] = [];
  for (const { name, tests } of suites) {
    const outcomes = [];
    for (const each of tests) outcomes.push(await runTest(server, each));
    done.push({ name, outcomes });
  }
  context.diagnostic(`The suites are of ${source}.`);
  if (process.env['FORMATS_REPORT'] && rdf && jsonLd)
    await writeReport(document, source, done, knownFailures);
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
}
