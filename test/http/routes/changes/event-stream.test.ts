import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from '../../../../src/changes/messages.ts';
import { changeEvents } from '../../../../src/http/routes/changes/event-stream.ts';
import type { ChangeStream } from '../../../../src/services/changes/page-stream.ts';

const positionOf = (commit: number) => `abcdefgh.${commit}`;

describe('a stream of server-sent events', () => {
  it('tells the position it has reached while no commit concerns the client (F-7)', async (t) => {
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    const stream = {
      since: 0,
      stop() {},
      async next(): Promise<Page> {
        now += 4000;
        this.since++;
        const events = [{ commit: this.since, time: 0, graphs: [] }];
        return { events, end: { since: this.since, part: 0 }, isNewest: true };
      },
    };
    const sent = changeEvents(stream as unknown as ChangeStream, positionOf, () => undefined);
    const texts: string[] = [];
    for (let i = 0; i < 3; i++) texts.push(Buffer.from((await sent.next()).value as Uint8Array).toString());
    await sent.return(undefined);
    assert.deepEqual(texts, [
      'retry: 1000\nid: abcdefgh.0\n\n',
      ':\nid: abcdefgh.4\n\n',
      ':\nid: abcdefgh.8\n\n',
    ]);
  });
});
