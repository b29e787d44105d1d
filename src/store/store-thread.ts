import { resolve } from 'node:path';
import { type Result, toErrorData } from '../errors.ts';
import type { FromStore, Maintenance, MaintenanceOutcome, StoreSettings, ToStore } from './messages.ts';
import { openStore } from './open-store.ts';
import type { Store } from './store.ts';
import type { Transaction, TransactionResult } from './transaction.ts';

/**
 * The store thread's life: takes in messages, and works through what is waiting one step at a time. While a step
 * awaits the disk more transactions gather, and become the next group (group commit).
 */
export class StoreThread {
  /** Called when the data directory is free again. */
  onClosed: () => void = () => {};
  readonly #settings: StoreSettings;
  readonly #post: (message: FromStore) => void;
  readonly #waiting: { readonly id: number; readonly transaction: Transaction }[] = [];
  readonly #outcomes: MaintenanceOutcome[] = [];
  #store: Store | undefined;
  #maintaining = false;
  #working = false;
  #closing = false;

  constructor(settings: StoreSettings, post: (message: FromStore) => void) {
    this.#settings = settings;
    this.#post = post;
  }

  /** Recovers the data and says so, or says why it can't. */
  async open(): Promise<void> {
    try {
      const notice = (message: string) => this.#post({ kind: 'notice', message });
      this.#store = await openStore(this.#settings, notice);
      this.#post({ kind: 'opened', opened: this.#store.opened() });
    } catch (error) {
      this.#post({ kind: 'failed', error: toErrorData(error) });
      this.onClosed();
    }
  }

  receive(message: ToStore): void {
    if (message.kind === 'commit') this.#waiting.push(message);
    else if (message.kind === 'maintained') this.#outcomes.push(message.outcome);
    else this.#closing = true;
    if (!this.#working) void this.#work();
  }

  async #work(): Promise<void> {
    const store = this.#store;
    if (!store) return;
    this.#working = true;
    while (this.#waiting.length > 0 || this.#outcomes.length > 0) {
      const outcome = this.#outcomes.shift();
      if (outcome) await this.#endMaintenance(store, outcome);
      else await this.#commit(store);
      await this.#beginMaintenance(store);
    }
    this.#working = false;
    if (this.#closing) await this.#close(store);
  }

  async #commit(store: Store): Promise<void> {
    const group = this.#waiting.splice(0);
    const healthy = store.fault === undefined;
    const { results, published } = await store.commit(group.map(({ transaction }) => transaction));
    const answers = group.map(({ id }, i) => [id, results[i] as Result<TransactionResult>] as const);
    this.#post({ kind: 'committed', published, answers });
    if (healthy && store.fault) this.#post({ kind: 'disabled', fault: store.fault });
  }

  async #beginMaintenance(store: Store): Promise<void> {
    if (this.#maintaining || this.#closing) return;
    const maintenance = await store.wantedMaintenance();
    if (!maintenance) return;
    this.#maintaining = true;
    this.#post({ kind: 'wanted', maintenance: this.#located(maintenance) });
  }

  #located(maintenance: Maintenance): Maintenance {
    return maintenance.kind === 'compact'
      ? maintenance
      : { ...maintenance, directory: resolve(this.#settings.directory ?? '') };
  }

  async #endMaintenance(store: Store, outcome: MaintenanceOutcome): Promise<void> {
    this.#maintaining = false;
    try {
      const published = await store.endMaintenance(outcome);
      if (published) this.#post({ kind: 'published', published });
    } catch (error) {
      const { message } = toErrorData(error);
      this.#post({ kind: 'notice', message: `A ${outcome.kind} could not be finished: ${message}` });
    }
  }

  async #close(store: Store): Promise<void> {
    await store.close();
    this.#post({ kind: 'closed' });
    this.onClosed();
  }
}
