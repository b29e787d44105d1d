import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startServer } from '../../support/server-process.ts';
import { allContainers, type ContainerKind } from './containers.ts';
import { findCurrentSuite, runCurrentSuite } from './current.ts';
import { writeReport } from './report.ts';
import type { Outcome } from './results.ts';
import { isUnexpectedSkip } from './skips.ts';

const ABOUT = `The suite built from w3c/ldp-testsuite 8e79368, without changes.`;

/** The suite skips them, since other tests of it cover them; 0.1.1 lets them pass without code. */
const covered = [
  'testConformsBcLdpContainer',
  'testConformsContainerRdfResource',
  'testConformsDcLdpContainer',
  'testConformsRdfSourceLdpResource',
];
/** It asks for a description in Turtle and puts bytes with its tag, which is another one. */
const description = 'testPreconditionRequiredStatusCode';
/** It is for containers with `ldp:hasMemberRelation`. */
const ofOtherRelation = 'testUseMemberPredicate';

/** What passes on each container; any other number means that tests were lost or added. */
const passing: Readonly<Record<ContainerKind, number>> = { basic: 89, direct: 96, indirect: 91, inverse: 95 };

test('the current source of the W3C test suite for LDP 1.0 finds no failure', async (context) => {
  const suite = await findCurrentSuite();
  if ('missing' in suite) return context.skip(suite.missing);
  const server = await startServer(context, ['--memory'], {}, null);
  const base = `http://localhost:${new URL(server.url).port}`;
  const results = new Map<ContainerKind, Outcome[]>();
  for (const kind of allContainers) results.set(kind, await runCurrentSuite(suite.classPath, base, kind));
  if (process.env['LDP_REPORT']) await writeReport('## Current source', ABOUT, results);
  for (const [kind, outcomes] of results) {
    await context.test(`${kind} container`, () => {
      const also = [...covered, description, ...(kind === 'inverse' ? [ofOtherRelation] : [])];
      assert.deepEqual(
        outcomes.filter((outcome) => outcome.status === 'fail' || isUnexpectedSkip(outcome, also)),
        [],
      );
      assert.equal(outcomes.filter(({ status }) => status === 'pass').length, passing[kind]);
    });
  }
});
