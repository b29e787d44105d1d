import type { Entries } from './entries.ts';

/** A process of the cluster. */
export interface Member {
  /** Its name. */
  readonly process: string;
  /** Its address for the others. */
  readonly url: string;
  /** The name of its machine; undefined of an earlier release. */
  readonly host?: string | undefined;
  /** The number of its newest commit. */
  readonly commit: number;
  /** When it started, in milliseconds since 1970. */
  readonly since: number;
}

interface Heard {
  readonly member: Member;
  readonly at: number;
}

export interface MembersParts {
  readonly entries: Entries;
  /** Returns what the others see of this process. */
  readonly own: () => Member;
  /** Milliseconds on a clock that never goes back. */
  readonly now: () => number;
  /** Called when another entry, the lease, was removed. */
  readonly onRemoval: () => void;
  /** Called once if another process has the name of this one. */
  readonly onNamesake: (namesake: Member) => void;
  /** Called once if another process is on another machine. */
  readonly onElsewhere: (member: Member) => void;
}

const PREFIX = 'member.';
const RENEWAL_MS = 1_000;
/** Entries expire after 5 seconds, and may come late. */
const FORGET_MS = 6_000;
/** If this process has not even seen its own entry for this long, the watch is begun anew. */
const DEAF_MS = 4_000;

/** The processes of the cluster: each one renews its entry each second, and watches the others'. */
export class Members {
  readonly #parts: MembersParts;
  readonly #heard = new Map<string, Heard>();
  #begun = Number.NEGATIVE_INFINITY;
  #isWriting = false;
  #stop: (() => void) | undefined;
  #isStarting = false;
  #heardOwn = 0;
  /** Whether this process has seen its own entry. One before may be that of an earlier run. */
  #hasSeenOwn = false;
  #hasNamesake = false;
  #hasElsewhere = false;
  #isClosed = false;

  constructor(parts: MembersParts) {
    this.#parts = parts;
  }

  /** Those that have renewed their entries, with this process, in the order of their names. */
  get all(): Member[] {
    const { now, own } = this.#parts;
    const present = [...this.#heard.values()].filter(({ at }) => now() - at < FORGET_MS);
    const others = present.map(({ member }) => member).filter(({ process }) => process !== own().process);
    return [...others, own()].sort((a, b) => (a.process < b.process ? -1 : 1));
  }

  /** Whether the log servers answer. */
  get isConnected(): boolean {
    return this.#stop !== undefined && this.#parts.now() - this.#heardOwn < DEAF_MS;
  }

  /** Renews the own entry. Call it several times a second. */
  beat(): void {
    const { now } = this.#parts;
    if (!this.#isWriting && now() - this.#begun >= RENEWAL_MS) void this.#write();
    if (this.#stop && now() - this.#heardOwn >= DEAF_MS) this.#hearNoMore();
    if (!this.#stop && !this.#isStarting) void this.#watch();
  }

  /** Removes the own entry. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#hearNoMore();
    await this.#parts.entries.remove(PREFIX + this.#parts.own().process);
  }

  async #write(): Promise<void> {
    this.#begun = this.#parts.now();
    this.#isWriting = true;
    const own = this.#parts.own();
    try {
      await this.#parts.entries.put(PREFIX + own.process, JSON.stringify(own));
    } catch {
      // The log servers can't be reached. The next beat tries again.
    } finally {
      this.#isWriting = false;
    }
  }

  async #watch(): Promise<void> {
    this.#isStarting = true;
    this.#heardOwn = this.#parts.now();
    let stop: (() => void) | undefined;
    const ended = () => {
      if (this.#stop === stop) this.#hearNoMore();
    };
    try {
      stop = await this.#parts.entries.watch((key, value) => this.#note(key, value), ended);
      if (this.#isClosed) stop();
      else this.#stop = stop;
    } catch {
      // As above.
    } finally {
      this.#isStarting = false;
    }
  }

  #hearNoMore(): void {
    this.#stop?.();
    this.#stop = undefined;
  }

  #note(key: string, value: string | undefined): void {
    if (!key.startsWith(PREFIX)) {
      if (value === undefined) this.#parts.onRemoval();
      return;
    }
    const process = key.slice(PREFIX.length);
    const isOwnName = process === this.#parts.own().process;
    if (isOwnName) this.#heardOwn = this.#parts.now();
    if (value === undefined) {
      this.#heard.delete(process);
      return;
    }
    const member = JSON.parse(value) as Member;
    this.#heard.set(process, { member, at: this.#parts.now() });
    if (isOwnName) this.#compare(member);
    else this.#compareHost(member);
  }

  #compareHost(member: Member): void {
    if (this.#hasElsewhere || member.host === undefined || member.host === this.#parts.own().host) return;
    this.#hasElsewhere = true;
    this.#parts.onElsewhere(member);
  }

  #compare(namesake: Member): void {
    const { url, since } = this.#parts.own();
    if (namesake.url === url && namesake.since === since) this.#hasSeenOwn = true;
    else if (this.#hasSeenOwn && !this.#hasNamesake) {
      this.#hasNamesake = true;
      this.#parts.onNamesake(namesake);
    }
  }
}
