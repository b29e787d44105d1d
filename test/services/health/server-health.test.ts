import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type ErrorData, toErrorData } from '../../../src/errors.ts';
import { type WriteFailure, writesDisabled } from '../../../src/journal/errors.ts';
import { ServerHealth } from '../../../src/services/health/server-health.ts';

/** A server that is ready, and whose parts can be changed. */
function readyServer() {
  const store = { writeError: undefined as ErrorData | undefined, journal: { busyMs: 0 } };
  const damage = { count: 1, digests: ['d'] };
  const health = new ServerHealth();
  health.watch({ store, files: { damage } });
  health.noteLoaded();
  return { health, store, damage };
}

function reasonsOf(health: ServerHealth): string[] {
  return health.hindrances().map(({ reason }) => reason);
}

describe('T-12: the reasons of a server that is not ready', () => {
  it('are that it is loading, until its data can be read', () => {
    const health = new ServerHealth();
    assert.deepEqual(reasonsOf(health), ['loading']);
    assert.deepEqual(health.damage, { count: 0, digests: [] });
    health.noteLoaded();
    assert.deepEqual(reasonsOf(health), []);
  });

  it('tell how much of the checkpoint of a cluster has been fetched', () => {
    const health = new ServerHealth();
    const detail = () => health.hindrances()[0]?.detail;
    health.noteFetched({ done: 12_345_678, total: 480e6 });
    assert.equal(
      detail(),
      'The server is loading its data: 12.3 of 480.0 MB of the checkpoint have been fetched.',
    );
    health.noteFetched({ done: 480e6, total: 480e6 });
    assert.equal(detail(), 'The server is loading its data.');
  });

  it('are none while everything works, even with damaged content', () => {
    const { health, damage } = readyServer();
    assert.deepEqual(reasonsOf(health), []);
    assert.equal(health.damage, damage);
  });

  it('name the cause for which writes are off, but no file', () => {
    const { health, store } = readyServer();
    const causes: readonly WriteFailure[] = ['no-space', 'write-failed', 'sync-failed', 'taken-over'];
    const details = causes.map((failure) => {
      store.writeError = toErrorData(writesDisabled(failure, new Error("EIO: i/o error, open '/secret'")));
      const [first] = health.hindrances();
      assert.equal(first?.reason, 'writes-off');
      return first.detail;
    });
    assert.equal(new Set(details).size, causes.length);
    assert.match(details[0]!, /disk is full/);
    for (const detail of details) assert.doesNotMatch(detail, /secret|EIO/);
    store.writeError = { code: 'writes-disabled', message: 'stopped', details: {} };
    assert.match(health.hindrances()[0]!.detail, /the store has failed/);
  });

  it('are, in a cluster, that the log servers do not answer, or that commits are missing', () => {
    const { health, store } = readyServer();
    const cluster = { isConnected: true, isBehind: false };
    health.watch({ store, files: { damage: { count: 0, digests: [] } }, cluster });
    assert.deepEqual(reasonsOf(health), []);
    cluster.isBehind = true;
    assert.deepEqual(reasonsOf(health), ['behind']);
    cluster.isConnected = false;
    assert.deepEqual(reasonsOf(health), ['log-unreachable']);
    cluster.isConnected = true;
    cluster.isBehind = false;
    store.writeError = { code: 'unavailable', message: 'no leader', details: {} };
    assert.deepEqual(reasonsOf(health), ['log-unreachable']);
  });

  it('are that the data have diverged from those of the cluster', () => {
    const { health, store } = readyServer();
    store.writeError = { code: 'writes-disabled', message: 'diverged', details: {} };
    health.noteDiverged();
    assert.deepEqual(reasonsOf(health), ['diverged']);
  });

  it('are that the journal is behind while one write takes longer than ten seconds', () => {
    const { health, store } = readyServer();
    store.journal.busyMs = 10_000;
    assert.deepEqual(reasonsOf(health), []);
    store.journal.busyMs = 10_001;
    assert.deepEqual(reasonsOf(health), ['journal-behind']);
    store.journal.busyMs = 0;
    assert.deepEqual(reasonsOf(health), []);
  });

  it('are that no thread is left', () => {
    const { health } = readyServer();
    health.noteNoThreads();
    assert.deepEqual(reasonsOf(health), ['no-threads']);
  });

  it('are that it shuts down, which is why writes are off then', () => {
    const { health, store } = readyServer();
    health.noteClosing();
    store.writeError = { code: 'shutting-down', message: 'closing', details: {} };
    assert.deepEqual(reasonsOf(health), ['shutting-down']);
  });
});
