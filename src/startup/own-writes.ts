import type { Config } from '../config.ts';
import { createRoot } from '../ldp/main/root.ts';
import type { LdpSpace } from '../ldp/main/space.ts';
import type { Log } from '../log.ts';
import { requireBase, settleBase } from '../services/resources/base-change.ts';
import type { StoreClient } from '../store/main/client.ts';

interface OwnWriteParts {
  readonly store: StoreClient;
  readonly space: LdpSpace;
  readonly log: Log;
}

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
    const { store, log } = this.#parts;
    if (!mayWrite) return requireBase(store, this.#base);
    const { recorded } = await settleBase(store, this.#base, this.#config.baseChange);
    void recorded.then((error) => {
      if (error) log.warn(`The base could not be recorded: ${error.message}`);
    });
  }

  /** Creates the root container, unless there is one. */
  async createRoot(): Promise<void> {
    const { space, store, log } = this.#parts;
    const error = await createRoot(space, store);
    if (error) log.warn(`The root container could not be created: ${error.message}`);
  }

  /** Writes what the process that held the lease before has not written. */
  async takeOver(): Promise<void> {
    try {
      await this.settleBase(true);
      await this.createRoot();
    } catch (err) {
      this.#parts.log.error({ err }, 'The record of the base could not be checked.');
    }
  }
}
