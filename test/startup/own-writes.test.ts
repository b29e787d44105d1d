import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ErrorData } from '../../src/errors.ts';
import type { LdpSpace } from '../../src/ldp/main/space.ts';
import type { Log } from '../../src/log.ts';
import { OwnWrites } from '../../src/startup/own-writes.ts';
import type { StoreClient } from '../../src/store/main/client.ts';

/** A process whose commits get these errors, one after another, and then succeed. */
function processWith(errors: ErrorData[], mayWrite = () => true) {
  let tries = 0;
  let hasRoot = false;
  const warnings: string[] = [];
  let tellCreated = () => {};
  const created = new Promise<void>((resolve) => {
    tellCreated = resolve;
  });
  const commit = async () => {
    tries++;
    const error = errors.shift();
    if (error) return { ok: false, error };
    hasRoot = true;
    tellCreated();
    return { ok: true };
  };
  const store = { commit } as unknown as StoreClient;
  const space = { root: 'urn:x:root', entry: () => (hasRoot ? {} : undefined) } as unknown as LdpSpace;
  const log = { warn: (text: string) => warnings.push(text) } as unknown as Log;
  const config = { memory: true, baseChange: 'refuse' } as const;
  const writes = new OwnWrites(config, 'urn:x:', { store, space, log, mayWrite });
  return { writes, created, warnings, tries: () => tries };
}

const unavailable: ErrorData = { code: 'unavailable', message: 'not now', details: {} };
const full: ErrorData = { code: 'store-full', message: 'no room', details: {} };

describe('the root container of a cluster', () => {
  it('is created once the log can be reached, by a process that takes over', async () => {
    const { writes, warnings, tries } = processWith([unavailable, unavailable]);
    await writes.takeOver();
    assert.equal(tries(), 3);
    assert.deepEqual(warnings, []);
  });

  it('is created later if the log is lost during a start', async () => {
    const { writes, created } = processWith([unavailable, unavailable]);
    await writes.createRoot();
    await created;
  });

  it('is left to another process that has got the lease', async () => {
    let attempts = 0;
    const { writes, tries } = processWith([unavailable, unavailable], () => ++attempts === 1);
    await writes.takeOver();
    assert.equal(tries(), 1);
  });

  it('is given up with a warning after another error', async () => {
    const { writes, warnings, tries } = processWith([full]);
    await writes.takeOver();
    assert.equal(tries(), 1);
    assert.deepEqual(warnings, ['The root container could not be created: no room']);
  });
});
