/**
 * A lock without the help of the kernel: its holder keeps changing its file, and another process
 * that sees no change for the duration of the lease takes the directory over. So processes on
 * several machines never use the same data.
 *
 * A holder that was suspended meanwhile does not notice. So clocks only decide when another process
 * may take over, never whether a write counts: after syncing a write, and before acknowledging it,
 * the holder verifies that its lock file is still there (see fenced-disk.ts). A process that takes
 * over removes that file before it reads the data, so it sees everything that was acknowledged
 * before, and nothing is acknowledged afterwards.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import { writesDisabled } from '../errors.ts';
import { parseRecord, readIfThere, removeIfThere } from './owner-file.ts';

export const defaultLeaseMs = 15_000;
/** How many times a holder renews its lease within the lease's duration. */
const RENEWALS = 5;
/**
 * How many times another process looks at the file in that time. Neither of them can access it
 * while a network is down.
 */
const LOOKS = 10;
/** Errors that are usually temporary. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EINTR']);
const RETRY_MS = 20;
/** Retries for ten seconds. */
const ATTEMPTS = 500;
const BEAT_DIGITS = 12;
/** The characters after the digits, which are the last value of the record. */
const BEHIND_BEAT = '"}\n';

/** What a process needs to verify that it still holds its lock. */
export interface Lease {
  /** Absolute path of the lock file. */
  readonly file: string;
  readonly id: string;
}

/** Returns the members of a lock file with a lease. They must come last. */
export function leaseMembers(leaseMs: number) {
  return { leaseMs, beat: beatText(0) };
}

/** Throws `writes-disabled` if another process has taken over, or if that can't be determined. */
export async function requireLease(lease: Lease): Promise<void> {
  const held = await isHeld(lease).catch((error: unknown) => {
    throw writesDisabled('owner-unknown', error);
  });
  if (!held) throw writesDisabled('taken-over', undefined);
}

async function isHeld({ file, id }: Lease): Promise<boolean> {
  const text = await readWhenPossible(file);
  return text !== undefined && parseRecord(text)?.id === id;
}

/** A process that has temporarily run out of file descriptors still owns its directory. */
async function readWhenPossible(file: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readIfThere(file);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!passing.has(code) || attempt === ATTEMPTS) throw error;
      await pass(RETRY_MS);
    }
  }
}

/**
 * Whether a lock file changes within the duration of its lease. A file that has been removed is not
 * renewed.
 */
export async function isRenewed(path: string, text: string, leaseMs: number): Promise<boolean> {
  for (let look = 0; look < LOOKS; look++) {
    await pass(leaseMs / LOOKS);
    const found = await readIfThere(path);
    if (found !== text) return found !== undefined;
  }
  return false;
}

/** Renews a lease until it is released or lost. */
export class LeaseKeeper {
  /** Resolves when another process has taken over. */
  readonly lost: Promise<void>;
  readonly #lease: Lease;
  readonly #handle: FileHandle;
  readonly #position: number;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;
  #renewing: Promise<void> = Promise.resolve();
  #isRenewing = false;
  #lose = () => {};

  static async start(lease: Lease, text: string, leaseMs: number): Promise<LeaseKeeper> {
    const handle = await open(lease.file, 'r+').catch(() => {
      throw writesDisabled('taken-over', undefined);
    });
    return new LeaseKeeper(lease, handle, Buffer.byteLength(text), leaseMs);
  }

  private constructor(lease: Lease, handle: FileHandle, bytes: number, leaseMs: number) {
    this.#lease = lease;
    this.#handle = handle;
    this.#position = bytes - BEHIND_BEAT.length - BEAT_DIGITS;
    this.lost = new Promise((resolve) => {
      this.#lose = resolve;
    });
    this.#timer = setInterval(() => this.#tick(), leaseMs / RENEWALS).unref();
  }

  /** Stops renewing, and removes the lock file unless it now belongs to another process. */
  async release(): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewing;
    await this.#handle.close();
    if (await isHeld(this.#lease)) await removeIfThere(this.#lease.file);
  }

  #tick(): void {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    this.#renewing = this.#renew().finally(() => {
      this.#isRenewing = false;
    });
  }

  /**
   * If the check fails now, for example because a network is down, it is repeated before the next
   * acknowledgement.
   */
  async #renew(): Promise<void> {
    await this.#beat().catch(() => {});
    if (await isHeld(this.#lease).catch(() => true)) return;
    clearInterval(this.#timer);
    this.#lose();
  }

  /** On some file systems this fails if another process has removed the file. */
  async #beat(): Promise<void> {
    await this.#handle.write(beatText(++this.#beats), this.#position);
    await this.#handle.datasync();
  }
}

function beatText(count: number): string {
  return String(count).padStart(BEAT_DIGITS, '0');
}
