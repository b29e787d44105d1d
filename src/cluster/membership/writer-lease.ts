import type { Entries, Entry } from './entries.ts';

/** The process that writes, and its address for the others. */
export interface Holder {
  readonly process: string;
  readonly url: string;
}

/** The lease in the bucket. */
interface StoredLease extends Holder {
  /** Differs for each start of a process. */
  readonly session: string;
}

export interface LeaseParts {
  readonly entries: Entries;
  readonly own: StoredLease;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Whether this process could write, and so may hold the lease. */
  readonly isFit: () => boolean;
  /** Called when this process gets or loses the lease, and when another one does. */
  readonly onChange: () => void;
}

const KEY = 'lease';
/** Entries expire after 5 seconds; see `LIVE_MS`. */
const RENEWAL_MS = 1_000;
/** Without a renewal for this long, the holder no longer writes: another may take over soon. */
const GIVE_UP_MS = 4_000;
/** Without news for this long, nobody counts as the holder. */
const FORGET_MS = 6_000;

/**
 * The lease on writing: an entry that its holder renews each second, and that another process
 * creates when it has expired. It decides who tries to write; compare-and-set in the log makes
 * wrong decisions harmless.
 */
export class Lease {
  readonly #parts: LeaseParts;
  readonly #value: string;
  /** The entry that this process holds. */
  #held: Entry | undefined;
  /** When the last request that renewed it began. */
  #renewed = 0;
  #holder: Holder | undefined;
  /** When it was heard of last. */
  #heard = 0;
  #begun = Number.NEGATIVE_INFINITY;
  #running: Promise<void> | undefined;
  #isReleased = false;

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    this.#value = JSON.stringify(parts.own);
  }

  /**
   * Whether this process holds the lease. A process that was suspended does not, even if it has
   * not noticed yet.
   */
  get isHeld(): boolean {
    return this.#held !== undefined && this.#parts.now() - this.#renewed < GIVE_UP_MS;
  }

  /** The process that holds the lease, as far as this one knows. */
  get holder(): Holder | undefined {
    return this.#holder;
  }

  /** Renews the lease, or tries to get it. Call it several times a second. */
  beat(): void {
    const { now } = this.#parts;
    if (this.#held && now() - this.#renewed >= GIVE_UP_MS) this.#settle(undefined, undefined);
    else if (this.#holder && now() - this.#heard >= FORGET_MS) this.#settle(undefined, undefined);
    if (now() - this.#begun >= RENEWAL_MS) void this.attempt();
  }

  /** Call it when the entry was removed: its holder has released it. */
  noteRemoval(): void {
    if (this.#held) return;
    this.#settle(undefined, undefined);
    void this.attempt();
  }

  /** Tries at once, unless an attempt is running. Resolves when that has ended. */
  attempt(): Promise<void> {
    if (this.#isReleased) return Promise.resolve();
    this.#begun = this.#parts.now();
    this.#running ??= this.#attempt()
      // The log servers can't be reached. The next beat tries again.
      .catch(() => {})
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  /** Ends the lease for good, so that another process can take over at once. */
  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#running;
    if (this.#held) await this.#giveUp(this.#held);
  }

  async #giveUp(held: Entry): Promise<void> {
    this.#settle(undefined, undefined);
    await this.#parts.entries.remove(KEY, held.revision);
  }

  async #attempt(): Promise<void> {
    const held = this.#held;
    if (held && !this.#parts.isFit()) return this.#giveUp(held);
    if (held && (await this.#renew(held))) return;
    const began = this.#parts.now();
    const found = await this.#parts.entries.get(KEY);
    if (found) return this.#heed(found, began);
    if (this.#isReleased || !this.#parts.isFit()) return this.#settle(undefined, undefined);
    const created = this.#parts.now();
    const revision = await this.#parts.entries.create(KEY, this.#value);
    if (revision !== undefined) return this.#hold({ key: KEY, value: this.#value, revision }, created);
    const rival = await this.#parts.entries.get(KEY);
    if (rival) await this.#heed(rival, created);
  }

  /** An earlier request of this process may have been carried out without an answer. */
  async #heed(found: Entry, began: number): Promise<void> {
    const { session, process, url } = JSON.parse(found.value) as StoredLease;
    if (session !== this.#parts.own.session) {
      this.#heard = began;
      this.#settle(undefined, { process, url });
    } else if (!(await this.#renew(found))) this.#settle(undefined, undefined);
  }

  /** Returns false if the entry is not the newest one. */
  async #renew(entry: Entry): Promise<boolean> {
    const began = this.#parts.now();
    const revision = await this.#parts.entries.update(entry);
    if (revision === undefined) return false;
    this.#hold({ ...entry, revision }, began);
    return true;
  }

  /** `began`: when the request began. The log servers may have had it since then. */
  #hold(entry: Entry, began: number): void {
    if (this.#parts.now() - began >= GIVE_UP_MS) return;
    this.#renewed = began;
    this.#heard = began;
    const { process, url } = this.#parts.own;
    this.#settle(entry, { process, url });
  }

  #settle(held: Entry | undefined, holder: Holder | undefined): void {
    const isChange =
      (held === undefined) !== (this.#held === undefined) ||
      holder?.process !== this.#holder?.process ||
      holder?.url !== this.#holder?.url;
    this.#held = held;
    this.#holder = holder;
    if (isChange) this.#parts.onChange();
  }
}
