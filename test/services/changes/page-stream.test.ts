import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from '../../../src/base/turns.ts';
import type { ChangeHistory } from '../../../src/changes/main/change-history.ts';
import type { Page } from '../../../src/changes/messages.ts';
import type { CommitWaves } from '../../../src/services/changes/commit-waves.ts';
import { ChangeStream } from '../../../src/services/changes/page-stream.ts';

function pageOf(bytes: number): Page {
  const rows = { json: new Uint8Array(bytes), part: 1, isLast: true };
  const events = [{ commit: 1, time: 0, graphs: [], rows }];
  return { events, end: { since: 1, part: 0 }, isNewest: true };
}

describe('a stream of changes', () => {
  it('passes on a large page in a turn of the event loop of its own', async () => {
    const page = pageOf(2 ** 20);
    const history = { newest: 1, page: async () => page } as unknown as ChangeHistory;
    const watched = () => ({ version: 0, terms: [], resources: [] });
    const source = { history, waves: {} as CommitWaves, watched, turns: new Turns() };
    let turn = 0;
    const count = () => {
      turn++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const streams = Array.from(
      { length: 5 },
      () => new ChangeStream(source, { since: 0, rows: true }, page, () => {}),
    );
    const turns = await Promise.all(
      streams.map(async (stream) => {
        await stream.next(0);
        return turn;
      }),
    );
    clearImmediate(next);
    assert.equal(new Set(turns).size, streams.length);
  });
});
