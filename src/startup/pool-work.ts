import type { Pool } from '../pool/pool.ts';
import type { StoreWork } from '../store/main/client.ts';
import type { ChangeRequest, Maintenance, MaintenanceOutcome, WorkedOut } from '../store/messages.ts';

/**
 * The work of the store in the worker pool. The store is opened before the pool, which reads the
 * store's snapshots, so work waits until there is a pool.
 */
export class PoolWork implements StoreWork {
  readonly #pool: Promise<Pool>;
  readonly #begin: (pool: Pool) => void;

  constructor() {
    let begin = (_pool: Pool) => {};
    this.#pool = new Promise((resolve) => {
      begin = resolve;
    });
    this.#begin = begin;
  }

  beginIn(pool: Pool): void {
    this.#begin(pool);
  }

  async maintain(maintenance: Maintenance): Promise<MaintenanceOutcome> {
    const pool = await this.#pool;
    if (maintenance.kind === 'compact') {
      return { kind: 'compact', result: await pool.compact(maintenance.compaction) };
    }
    const { snapshot, directory, lease, imageFile } = maintenance;
    const result = await pool.checkpoint({ snapshot, directory, lease, imageFile });
    return { kind: 'checkpoint', result };
  }

  async workOut(request: ChangeRequest): Promise<WorkedOut> {
    const pool = await this.#pool;
    switch (request.kind) {
      case 'plan-changes':
        return pool.planChanges(request);
      case 'build-changes':
        return pool.buildChanges(request);
      case 'encode-changes':
        return pool.encodeChanges(request);
    }
  }
}
