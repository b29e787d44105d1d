import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, describe, it, type TestContext } from 'node:test';
import { openSharedLog } from '../../../src/cluster/nats/open-log.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import {
  type NatsNode,
  type NatsServers,
  startNatsServers,
  withoutNats,
} from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openTestLog, records, replayed } from '../../support/shared-logs.ts';

/** More than the log servers keep in the log of Raft, from which they could restore a message. */
const COUNT = 600;
const PADDING = 'x'.repeat(40_000);
/** The servers place a reader at one of them at random: so many should meet all. */
const READERS = 10;
const MAX_READERS = 60;

describe('a bit that flips on the disk of one of three servers', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope, 3);
  });

  for (const [place, record] of [
    ['in the middle of the log', 300],
    ['in its last message', COUNT],
  ] as const) {
    it(`${place} hides nothing from any reader`, { timeout: 240_000 }, async (context) => {
      const settings = servers.settings();
      const writer = await openTestLog(context, settings);
      for (let commit = 1; commit <= COUNT; commit++) await writer.append(records(commit, textOf(commit)));
      const leader = await servers.leaderOf(settings.name);
      const node = servers.nodes.find((other) => other !== leader)!;
      await flip(node, settings.name, textOf(record));
      const notices: string[] = [];
      const mustBeMet = record < COUNT;
      let readers = 0;
      for (; readers < READERS || (mustBeMet && notices.length === 0 && readers < MAX_READERS); readers++) {
        const texts = await textsFrom(context, { ...settings, servers: [node.address] }, notices);
        assert.deepEqual(
          texts,
          Array.from({ length: COUNT }, (_, index) => textOf(index + 1)),
        );
      }
      context.diagnostic(`${notices.length} of ${readers} readers met it: ${notices[0] ?? ''}`);
      // The servers restore the end of a stream from the log of Raft.
      assert.ok(notices.length > 0 || !mustBeMet);
    });
  }
});

/** Ends a server in order, changes its copy of a stream where a text is, and starts it again. */
async function flip(node: NatsNode, stream: string, text: string): Promise<void> {
  await node.quit();
  const folder = join(node.store, 'jetstream/$G/streams', stream, 'msgs');
  for (const name of await readdir(folder)) {
    const bytes = await readFile(join(folder, name));
    const offset = bytes.indexOf(text);
    if (offset < 0) continue;
    bytes[offset]! ^= 1;
    await writeFile(join(folder, name), bytes);
  }
  await node.start();
  await node.untilHealthy();
}

async function textsFrom(
  context: TestContext,
  settings: ClusterSettings,
  notices: string[],
): Promise<string[]> {
  const notice = (message: string) => notices.push(message);
  const log = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()), notice });
  context.after(() => log.close());
  return (await replayed(log)).map(({ text }) => text);
}

function textOf(commit: number): string {
  return `The text of the record ${commit}.${PADDING}`;
}
