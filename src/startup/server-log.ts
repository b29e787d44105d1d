/** Logs events of the server itself. `http/server/request-log.ts` logs requests. */
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { ThreadKill } from '../pool/threads/kill.ts';
import type { FetchProgress } from '../store/cluster/shared-checkpoints.ts';
import type { MaintenanceEvent } from '../store/main/maintenance-watch.ts';
import { readVersion } from '../version.ts';
import type { LoadObserver } from './initial-files.ts';

const LOADING_INTERVAL_MS = 10_000;
/** Fetching fewer bytes takes a few seconds. */
const LONG_BYTES = 200e6;

interface Running {
  readonly front: string;
  readonly url: string;
  readonly base: string;
  readonly quadCount: number;
  close(): Promise<void>;
}

/** Logs the start, and returns the same server with a `close` that logs the shutdown. */
export function logLife<T extends Running>(app: T, config: Config, log: Log): T {
  const { front, url, base, quadCount } = app;
  const { threads } = config;
  const data = config.memory ? null : resolve(config.data);
  const details = {
    url,
    base,
    front,
    data,
    threads,
    quads: quadCount,
    version: readVersion(),
    node: process.version,
  };
  log.info({ event: 'start', ...details }, 'The server has started.');
  const stop = async () => {
    log.info({ event: 'stopping' }, 'The server is stopping.');
    await app.close();
    log.info({ event: 'stop' }, 'The server has stopped.');
  };
  let stopped: Promise<void> | undefined;
  const close = () => {
    stopped ??= stop();
    return stopped;
  };
  return { ...app, close };
}

/** Logs the progress of `--load`. */
export function loadingLog(log: Log): LoadObserver {
  return {
    everyMs: LOADING_INTERVAL_MS,
    notice: ({ file, ...progress }) =>
      log.info({ event: 'loading', file, ...progress }, 'A file is being loaded.'),
  };
}

/**
 * Returns what logs the progress of a checkpoint that is fetched: at the beginning, and each tenth
 * of one that takes long.
 */
export function fetchingLog(log: Log): (progress: FetchProgress) => void {
  let logged = 0;
  return ({ commit, done, total }) => {
    const isDue = done === 0 || (total >= LONG_BYTES && done - logged >= total / 10);
    if (!isDue) return;
    logged = done;
    log.info({ event: 'fetching', commit, done, total }, 'The newest checkpoint is being fetched.');
  };
}

/** Logs the loss of a worker thread. */
export function logKill(log: Log, { client, user, ...kill }: ThreadKill): void {
  const caller = { ...(client && { client }), ...(user !== undefined && { user }) };
  log.info({ event: 'thread-killed', ...kill, ...caller }, 'A worker thread was lost and is replaced.');
}

/** Logs a checkpoint; a compaction only at `debug`, since those are frequent and quick. */
export function logMaintenance(log: Log, { work, state, ...details }: MaintenanceEvent): void {
  const fields = { event: `${work}-${state}`, ...details };
  if (work === 'checkpoint') log.info(fields, `A checkpoint has ${state}.`);
  else log.debug(fields, `A compaction has ${state}.`);
}
