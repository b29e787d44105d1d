import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { ErrorData } from '../errors.ts';
import { createRoot } from '../ldp/main/root.ts';
import type { LdpSpace } from '../ldp/main/space.ts';
import type { Log } from '../log.ts';
import { requireBase, settleBase } from '../services/resources/base-change.ts';
import type { StoreClient } from '../store/main/client.ts';

interface OwnWriteParts {
  readonly store: StoreClient;
  readonly space: LdpSpace;
  readonly log: Log;
  /** Whether this process may write, in a cluster by the lease. */
  readonly mayWrite: () => boolean;
}

const NO_BASE = 'The base could not be recorded';
const NO_ROOT = 'The root container could not be created';

/** The pause before another attempt while the log of a cluster can't be reached. */
const RETRY_MS = 500;

/**
 * What the server writes by itself: the record of its base, and the root container of the LDP
 * space. In a cluster only the process with the lease does so.
 */
export class OwnWrites {
  readonly #config: Pick<Config, 'memory' | 'baseChange'>;
  readonly #base: string;
  readonly #parts: OwnWriteParts;

  constructor(config: Pick<Config, 'memory' | 'baseChange'>, base: string, parts: OwnWriteParts) {
    this.#config = config;
    this.#base = base;
    this.#parts = parts;
  }

  /** Compares the base with the recorded one. `mayWrite`: then it is recorded, too. */
  async settleBase(mayWrite: boolean): Promise<void> {
    if (this.#config.memory) return;
    if (!mayWrite) return requireBase(this.#parts.store, this.#base);
    const { recorded } = await this.#recordBase();
    void recorded.then((error) => this.#warn(NO_BASE, error));
  }

  /** Creates the root container, unless there is one. */
  async createRoot(): Promise<void> {
    const error = await this.#createRoot();
    if (error?.code === 'unavailable') void this.takeOver();
    else this.#warn(NO_ROOT, error);
  }

  /**
   * Writes what the process that held the lease before has not written. Tries again while the log
   * can't be reached, as long as this process may write.
   */
  async takeOver(): Promise<void> {
    const { mayWrite, log } = this.#parts;
    try {
      while (mayWrite() && !(await this.#writeAll())) await sleep(RETRY_MS);
    } catch (err) {
      log.error({ err }, 'The record of the base could not be checked.');
    }
  }

  /** Returns false if the log could not be reached. */
  async #writeAll(): Promise<boolean> {
    const { recorded } = this.#config.memory ? { recorded: undefined } : await this.#recordBase();
    const noBase = await recorded;
    if (noBase?.code === 'unavailable') return false;
    this.#warn(NO_BASE, noBase);
    const noRoot = await this.#createRoot();
    if (noRoot?.code === 'unavailable') return false;
    this.#warn(NO_ROOT, noRoot);
    return true;
  }

  #recordBase(): ReturnType<typeof settleBase> {
    return settleBase(this.#parts.store, this.#base, this.#config.baseChange);
  }

  #createRoot(): Promise<ErrorData | undefined> {
    return createRoot(this.#parts.space, this.#parts.store);
  }

  #warn(what: string, error: ErrorData | undefined): void {
    if (error) this.#parts.log.warn(`${what}: ${error.message}`);
  }
}
