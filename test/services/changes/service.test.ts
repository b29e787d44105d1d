import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChangeHistory } from '../../../src/changes/main/change-history.ts';
import { AppError } from '../../../src/errors.ts';
import { ChangeService } from '../../../src/services/changes/service.ts';

type Store = ConstructorParameters<typeof ChangeService>[0];

const nobody = { access: undefined, onAbort() {} };

describe('the service for streams of changes', () => {
  it('gives the place of a client that is gone while it waits for a commit to the next (F-10)', async () => {
    let resolve = (_: boolean) => {};
    const committed = new Promise<boolean>((settle) => {
      resolve = settle;
    });
    const store = { identityName: 'abcdefgh', whenCommitted: () => committed } as unknown as Store;
    const page = { events: [], end: { since: 9, part: 0 }, isNewest: true };
    const history = { page: async () => page, oldest: async () => 0 } as unknown as ChangeHistory;
    const service = new ChangeService(store, history, { maxStreams: 1, aheadMs: 5000 });
    let leave = () => {};
    const gone = service.follow(
      { since: 9, rows: false },
      {
        access: undefined,
        onAbort: (listener) => {
          leave = listener;
        },
      },
    );
    const rejected = await service.follow({ since: 9, rows: false }, nobody);
    assert.equal(!rejected.ok && rejected.error.code, 'overloaded');
    leave();
    const next = service.follow({ since: 9, rows: false }, nobody);
    resolve(true);
    assert.ok((await next).ok);
    await gone;
  });

  it('begins at the oldest commit that is left when one is removed meanwhile (F-2)', async () => {
    const store = { identityName: 'abcdefgh', whenCommitted: async () => true } as unknown as Store;
    let oldest = 3;
    const page = async ({ since }: { since: number }) => {
      if (since === 3) oldest = 7;
      if (since < oldest) throw new AppError('position-gone', 'gone');
      return { events: [], end: { since, part: 0 }, isNewest: true };
    };
    const history = { page, oldest: async () => oldest } as unknown as ChangeHistory;
    const service = new ChangeService(store, history, { maxStreams: 1, aheadMs: 0 });
    const opened = await service.follow({ since: 'oldest', rows: false }, nobody);
    assert.equal(opened.ok && opened.value.since, 7);
  });
});
