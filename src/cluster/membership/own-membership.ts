import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Entries } from './entries.ts';
import { type Member, Members } from './live-members.ts';
import { type Holder, Lease } from './writer-lease.ts';

export interface MembershipParts {
  /** The bucket of entries that expire. */
  readonly entries: Entries;
  /** Name, address and machine of this process. */
  readonly own: Holder & Pick<Member, 'host'>;
  /** Returns the number of its newest commit. */
  readonly commit: () => number;
  /** Whether this process could write, and so may hold the lease. */
  readonly isFit: () => boolean;
  /**
   * Takes in all commits of others when this process has got the lease. Resolves with false if that
   * is not possible now. Before it has succeeded, this process does not count as the holder: it
   * would judge preconditions by old data.
   */
  readonly catchUp: () => Promise<boolean>;
  /** Called when the lease was lost before that has succeeded. */
  readonly onVainAttempt: () => void;
  /** Called when this process becomes the holder, and when it has lost the lease. */
  readonly onLease: (isHeld: boolean) => void;
  /** Called once if another process has the name of this one. */
  readonly onNamesake: (namesake: Member) => void;
  /** Called once if another process is on another machine. */
  readonly onElsewhere: (member: Member) => void;
}

const BEAT_MS = 250;
/** Members tell their commits each second, so a process in step lacks none for longer. */
const BEHIND_MS = 5_000;

/** This process as a member of its cluster: whether it holds the lease, and who else is there. */
export class Membership {
  readonly #parts: MembershipParts;
  readonly #lease: Lease;
  readonly #members: Members;
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #wasHeld = false;
  /** Whether it has the commits of all earlier holders. */
  #hasCaughtUp = false;
  #takeOver: Promise<void> | undefined;
  /** When this process lacked no commit last. */
  #caughtUp = performance.now();

  constructor(parts: MembershipParts) {
    const { entries, own, commit, isFit } = parts;
    this.#parts = parts;
    const since = Date.now();
    const now = () => performance.now();
    const session = randomUUID();
    const onChange = () => this.#noteLease();
    const { process, url } = own;
    this.#lease = new Lease({ entries, own: { process, url, session }, now, isFit, onChange });
    this.#members = new Members({
      entries,
      own: () => ({ ...own, commit: commit(), since }),
      now,
      onRemoval: () => this.#lease.noteRemoval(),
      onNamesake: parts.onNamesake,
      onElsewhere: parts.onElsewhere,
    });
  }

  /** Whether this process holds the lease and has the newest data. */
  get holdsLease(): boolean {
    return this.#lease.isHeld && this.#hasCaughtUp;
  }

  /**
   * The process that executes writes, as far as this one knows. Undefined also while this process
   * has the lease and catches up.
   */
  get holder(): Holder | undefined {
    return this.#lease.isHeld && !this.#hasCaughtUp ? undefined : this.#lease.holder;
  }

  get members(): readonly Member[] {
    return this.#members.all;
  }

  /** Whether the log servers answer, so that `members` is up to date. */
  get isConnected(): boolean {
    return this.#members.isConnected;
  }

  /** The number of commits that another process has, and this one not yet. */
  get lag(): number {
    const own = this.#parts.commit();
    return Math.max(0, ...this.members.map(({ commit }) => commit - own));
  }

  /** Whether this process has lacked commits of others for several seconds. */
  get isBehind(): boolean {
    return performance.now() - this.#caughtUp > BEHIND_MS;
  }

  /** Becomes a member. Resolves when it is known who holds the lease, or that nobody says. */
  async join(): Promise<void> {
    this.#timer = setInterval(() => this.#beat(), BEAT_MS);
    this.#members.beat();
    await this.#lease.attempt();
    await this.#takeOver;
  }

  /** Resolves at the next change of the holder, or after this time in milliseconds. */
  change(limitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, limitMs);
      this.#waiting.add(end);
      void this.#lease.attempt();
    });
  }

  /** Gives the lease up for good, so that another process takes it at once. */
  release(): Promise<void> {
    return this.#lease.release();
  }

  /** The same, and leaves. */
  async leave(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled([this.release(), this.#members.close()]);
  }

  #beat(): void {
    this.#lease.beat();
    this.#members.beat();
    if (this.lag === 0) this.#caughtUp = performance.now();
  }

  #noteLease(): void {
    const { isHeld } = this.#lease;
    if (isHeld !== this.#wasHeld) {
      this.#wasHeld = isHeld;
      if (isHeld) this.#takeOver = this.#catchUp(this.#takeOver);
      else this.#loseLease();
    }
    this.#endWaiting();
  }

  #loseLease(): void {
    if (!this.#hasCaughtUp) return;
    this.#hasCaughtUp = false;
    this.#parts.onLease(false);
  }

  async #catchUp(before: Promise<void> | undefined): Promise<void> {
    await before;
    while (this.#wasHeld && !this.#hasCaughtUp) {
      const hasCaughtUp = await this.#parts.catchUp();
      if (!hasCaughtUp) await sleep(BEAT_MS);
      else if (this.#wasHeld) this.#becomeHolder();
    }
    if (!this.#wasHeld) this.#parts.onVainAttempt();
  }

  #becomeHolder(): void {
    this.#hasCaughtUp = true;
    this.#parts.onLease(true);
    this.#endWaiting();
  }

  #endWaiting(): void {
    for (const end of [...this.#waiting]) end();
  }
}
