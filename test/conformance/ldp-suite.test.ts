import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../support/server-process.ts';
import { type ContainerKind, ownContainers } from './ldp-suite/containers.ts';
import { findSuite, runSuite } from './ldp-suite/release.ts';
import { writeReport } from './ldp-suite/report.ts';
import type { Outcome } from './ldp-suite/results.ts';
import { isUnexpectedSkip } from './ldp-suite/skips.ts';

const ABOUT = `\`org.w3:ldp-testsuite:0.1.1\`, the last release. *Empty* are tests that pass although they
check nothing: their methods have no code. They count neither as passed nor as skipped.`;

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
  for (const kind of ownContainers) results.set(kind, await runSuite(suite.classPath, base, kind));
  if (process.env['LDP_REPORT']) await writeReport('## Release 0.1.1', ABOUT, results);
  for (const [kind, outcomes] of results) {
    await context.test(`${kind} container`, () => {
      assert.ok(outcomes.filter(({ status }) => status === 'pass').length > 0, 'some test passes');
      assert.deepEqual(
        outcomes.filter(({ status }) => status === 'fail'),
        [],
      );
      assert.deepEqual(
        outcomes.filter((outcome) => isUnexpectedSkip(outcome)),
        [],
      );
    });
  }
});
