import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from '../support/server-process.ts';
import { reportOf } from './ldp-suite/report.ts';
import type { Outcome } from './ldp-suite/results.ts';
import { type ContainerKind, containerKinds, findSuite, runSuite } from './ldp-suite/suite.ts';

const report = fileURLToPath(new URL('ldp-suite/report.md', import.meta.url));

const MANUAL = 'has no code: a person has to look';
const STORED = 'expects the server to reject a property, but it stores all properties';
/** They pass on the member, see `isUnexpectedSkip`. */
const CONTAINER = 'does not try to replace the triples of a container';

/** Tests that can neither pass nor fail on any server (http-api 5.13), and why. */
const skippable: Readonly<Record<string, string>> = {
  testIsHttp11Manual: MANUAL,
  testReUseVocabularies: MANUAL,
  testUseStandardVocabularies: MANUAL,
  testRestrictClientInference: MANUAL,
  testPublishConstraintsUnknownProp: STORED,
  testPutPropertiesNotPersisted: STORED,
  testResponsePropertiesNotPersisted: STORED,
  testPutReplacesResource: CONTAINER,
  testPutSimpleUpdate: CONTAINER,
  testRelativeUriResolutionPut: CONTAINER,
};

/**
 * `npm run test:ldp` sets LDP_REPORT, which writes the report. It fails without the suite, which
 * `npm test` skips.
 */
test('the W3C test suite for LDP 1.0 finds no failure', async (context) => {
  const suite = await findSuite();
  if ('missing' in suite) {
    assert.ok(!process.env['LDP_REPORT'], suite.missing);
    return context.skip(suite.missing);
  }
  const server = await startServer(context, ['--memory'], {}, null);
  const base = `http://localhost:${new URL(server.url).port}`;
  const results = new Map<ContainerKind, Outcome[]>();
  for (const kind of containerKinds) results.set(kind, await runSuite(suite.classPath, base, kind));
  if (process.env['LDP_REPORT']) await writeFile(report, reportOf(results));
  for (const [kind, outcomes] of results) {
    await context.test(`${kind} container`, () => {
      assert.ok(outcomes.filter(({ status }) => status === 'pass').length > 0, 'some test passes');
      assert.deepEqual(
        outcomes.filter(({ status }) => status === 'fail'),
        [],
      );
      assert.deepEqual(outcomes.filter(isUnexpectedSkip), []);
    });
  }
});

function isUnexpectedSkip({ test: name, on, status }: Outcome): boolean {
  if (status !== 'skip') return false;
  return skippable[name] === undefined || (skippable[name] === CONTAINER && !on.endsWith('Container'));
}
