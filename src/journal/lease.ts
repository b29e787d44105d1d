/**
 * A lock that no kernel holds: its file changes for as long as the holder runs, and another process
 * that sees no change for the time of the lease takes the directory over. That keeps processes on
 * several machines off each other's data.
 *
 * A holder that was stopped meanwhile does not notice. So clocks only decide when another process
 * may take over, never whether a write counts: after a write was synced, and before it is
 * acknowledged, the holder makes sure that its lock file is still there (see fenced-disk.ts). A
 * process that takes over removes that file before it looks at the data, so it sees all that was
 * acknowledged before, and nothing is acknowledged after.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pass } from 'node:timers/promises';
import { writesDisabled } from './errors.ts';
import { parseRecord, readIfThere, removeIfThere } from './lock-file.ts';

export const defaultLeaseMs = 15_000;
/** How many times a holder renews its lease while the lease lasts. */
const RENEWALS = 5;
/** How many times another process looks meanwhile. While a network is down neither of them can. */
const LOOKS = 10;
/** Errors that may be over soon. */
const passing: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'EINTR']);
const RETRY_MS = 20;
/** Ten seconds of them. */
const ATTEMPTS = 500;
const BEAT_DIGITS = 12;
/** What follows the digits, which come last. */
const BEHIND_BEAT = '"}\n';

/** What tells whether a lock is still held by its owner. */
export interface Lease {
  /** Absolute path of the lock file. */
  readonly file: string;
  readonly id: string;
}

/** The members of a lock file that has a lease. They must come last. */
export function leaseMembers(leaseMs: number) {
  return { leaseMs, beat: beatText(0) };
}

/**
 * Throws `writes-disabled` when another process has taken over, and when that can't be found out.
 */
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

/** A process that has no descriptor left for the moment still has its directory. */
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

/** Whether a lock file changes while its lease lasts. One that is gone is not renewed. */
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

  /** Stops renewing, and removes the lock file unless it is another process's by now. */
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
   * What can't be found out now, as while a network is down, is found out before the next
   * acknowledgement.
   */
  async #renew(): Promise<void> {
    await this.#beat().catch(() => {});
    if (await isHeld(this.#lease).catch(() => true)) return;
    clearInterval(this.#timer);
    this.#lose();
  }

  /** Fails when another process has removed the file, on some file systems. */
  async #beat(): Promise<void> {
    await this.#handle.write(beatText(++this.#beats), this.#position);
    await this.#handle.datasync();
  }
}

function beatText(count: number): string {
  return String(count).padStart(BEAT_DIGITS, '0');
}
