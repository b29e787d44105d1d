import type { ErrorData } from '../../errors.ts';
import type { WriteFailure } from '../../journal/errors.ts';
import type { ContentDamage } from '../../store/content/verified-files.ts';

export const hindranceReasons = [
  'loading',
  'shutting-down',
  'no-threads',
  'writes-off',
  'journal-behind',
  'log-unreachable',
  'behind',
  'diverged',
] as const;

/** Why a server should get no requests. The texts reveal nothing about data or files. */
export interface Hindrance {
  readonly reason: (typeof hindranceReasons)[number];
  readonly detail: string;
}

/** Bytes of a checkpoint that is fetched from the log servers of a cluster. */
export interface FetchedBytes {
  readonly done: number;
  readonly total: number;
}

/** What a process in a cluster knows of it. */
export interface ClusterState {
  /** Whether the log servers answer. */
  readonly isConnected: boolean;
  /** Whether this process has lacked commits of others for several seconds. */
  readonly isBehind: boolean;
}

/** The parts that are asked for their state. They exist only once the data are open. */
export interface HealthSources {
  readonly store: {
    /** Why writes are rejected; undefined while they are accepted. */
    readonly writeError: ErrorData | undefined;
    /** `busyMs`: how long the current write to the journal has been running, in milliseconds. */
    readonly journal: { readonly busyMs: number };
  };
  readonly files: { readonly damage: ContentDamage };
  /** Undefined on a single server. */
  readonly cluster?: ClusterState | undefined;
}

/**
 * A write to the journal, with its sync, that takes longer counts as hanging, in milliseconds. It
 * usually takes a few milliseconds, and a second on a slow disk.
 */
const BEHIND_MS = 10_000;

const writesOff: Readonly<Record<WriteFailure, string>> = {
  'no-space': 'Writes are off until a restart, because the disk is full. Reads go on.',
  'write-failed': 'Writes are off until a restart, because a write to the journal failed. Reads go on.',
  'sync-failed': 'Writes are off until a restart, because a sync of the journal failed. Reads go on.',
  'taken-over': 'Writes are off, because another process has taken over the data directory.',
  'owner-unknown': 'Writes are off until a restart, because the data directory may have another owner.',
  closed: 'Writes are off, because the journal is closed.',
};
const STORE_FAILED = 'Writes are off until a restart, because the store has failed. Reads go on.';
const DIVERGED =
  'The data of this process differ from those of its cluster. It serves nothing until a restart.';
const LOG_UNREACHABLE = 'The log servers do not answer. Reads go on, with what was written before.';
const BEHIND = 'This process has lacked commits of other processes for several seconds.';

/** The state of the server as monitors see it (http-api 6.6). */
export class ServerHealth {
  /** All reasons that there can be. */
  readonly reasons = hindranceReasons;
  #sources: HealthSources | undefined;
  #fetched: FetchedBytes | undefined;
  #isLoaded = false;
  #isClosing = false;
  #hasThreads = true;
  #hasDiverged = false;

  /** Call it when the data directory is open. */
  watch(sources: HealthSources): void {
    this.#sources = sources;
  }

  /** Call it while a checkpoint of a cluster is fetched. */
  noteFetched(fetched: FetchedBytes): void {
    this.#fetched = fetched;
  }

  /** Call it when requests can be served. */
  noteLoaded(): void {
    this.#isLoaded = true;
  }

  /** Call it when the server begins to shut down. */
  noteClosing(): void {
    this.#isClosing = true;
  }

  /** Call it when no pool thread is left and none can be started. */
  noteNoThreads(): void {
    this.#hasThreads = false;
  }

  /** Call it when the data are not those of the cluster any more. */
  noteDiverged(): void {
    this.#hasDiverged = true;
  }

  /** Content files that were found damaged and have not been stored again since. */
  get damage(): ContentDamage {
    return this.#sources?.files.damage ?? { count: 0, digests: [] };
  }

  /** Returns what keeps the server from doing all of its work now; empty if it is ready. */
  hindrances(): Hindrance[] {
    const found: Hindrance[] = [];
    const add = (reason: Hindrance['reason'], detail: string) => found.push({ reason, detail });
    if (this.#isClosing) add('shutting-down', 'The server is shutting down.');
    else if (!this.#isLoaded) add('loading', whatIsLoaded(this.#fetched));
    if (!this.#hasThreads) add('no-threads', 'No worker thread could be started.');
    const { writeError, journal } = this.#sources?.store ?? {};
    const isUnreachable = writeError?.code === 'unavailable';
    if (this.#hasDiverged) add('diverged', DIVERGED);
    else if (writeError && !isUnreachable && !this.#isClosing) add('writes-off', whyWritesAreOff(writeError));
    const { cluster } = this.#sources ?? {};
    if (cluster && !this.#isClosing) {
      if (isUnreachable || !cluster.isConnected) add('log-unreachable', LOG_UNREACHABLE);
      else if (cluster.isBehind) add('behind', BEHIND);
    }
    if (journal && journal.busyMs > BEHIND_MS) {
      add('journal-behind', `A write to the journal has taken more than ${BEHIND_MS / 1000} seconds.`);
    }
    return found;
  }
}

function whatIsLoaded(fetched: FetchedBytes | undefined): string {
  if (!fetched || fetched.done === fetched.total) return 'The server is loading its data.';
  const [done, total] = [fetched.done, fetched.total].map((bytes) => (bytes / 1e6).toFixed(1));
  return `The server is loading its data: ${done} of ${total} MB of the checkpoint have been fetched.`;
}

function whyWritesAreOff({ details }: ErrorData): string {
  const { failure } = details as { readonly failure?: WriteFailure };
  return (failure && writesOff[failure]) ?? STORE_FAILED;
}
