import assert from 'node:assert/strict';
import { test } from 'node:test';
import { projectFile } from '../../support/project.ts';
import { startServer } from '../../support/server-process.ts';
import { BareOxigraph } from './endpoints/bare-oxigraph.ts';
import { ServerEndpoint } from './endpoints/server-endpoint.ts';
import { SuiteFiles } from './manifests/files.ts';
import { findSuites } from './manifests/find-suites.ts';
import { writeReport } from './report.ts';
import { runLanguageSuites, runProtocolSuites } from './suites.ts';

const document = projectFile('docs/conformance.md');

/** Known failures with their reasons. */
const known: Readonly<Record<string, string>> = {};
/**
 * Tests of the older edition whose results are not those of RDF 1.1, or whose manifest names no
 * data.
 */
const outdated = [
  'construct/constructwhere04',
  'functions/plus-1',
  'functions/plus-2',
  'functions/strdt03',
  'functions/strlang03',
];

/**
 * `npm run test:sparql` sets SPARQL_REPORT, which writes the report, except with the older edition.
 * It fails without the suites, which `npm test` skips.
 */
test('the W3C suites for SPARQL 1.1 find only known failures', async (context) => {
  const suites = await findSuites();
  if (!suites) {
    const missing = 'neither git nor Maven could fetch the suites; RDF_TESTS may name a checkout';
    assert.ok(!process.env['SPARQL_REPORT'], missing);
    return context.skip(missing);
  }
  const server = await startServer(context, ['--memory', '--sparql-default-graph', 'default'], {}, null);
  const files = new SuiteFiles(suites.folder);
  const endpoint = new ServerEndpoint(`http://localhost:${new URL(server.url).port}`);
  const done = [...(await runLanguageSuites(files, endpoint)), ...(await runProtocolSuites(files, endpoint))];
  context.diagnostic(`The suites are of ${suites.source}.`);
  if (process.env['SPARQL_REPORT'] && suites.edition === 'current') {
    const bare = await runLanguageSuites(files, new BareOxigraph());
    await writeReport(document, suites.source, done, bare, known);
  }
  const isOlder = suites.edition === 'older';
  const excused = new Set([...Object.keys(known), ...(isOlder ? outdated : [])]);
  for (const { name, outcomes } of done) {
    const skip = outcomes.length === 0 && isOlder && 'the older edition describes these tests in prose';
    await context.test(name, { skip }, () => {
      const failures = outcomes.filter(({ status, test: one }) => status === 'fail' && !excused.has(one));
      assert.deepEqual(failures, []);
      assert.ok(
        outcomes.some(({ status }) => status === 'pass'),
        'some test passes',
      );
    });
  }
  assert.ok(done.length > 0, 'some suite has run');
});
