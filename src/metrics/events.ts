import type { ThreadKill } from '../pool/threads/kill.ts';
import type { MaintenanceEvent } from '../store/main/maintenance-watch.ts';

/** The pools of threads. */
export type PoolName = 'worker' | 'sparql';

/** How often each piece of maintenance ended, and the seconds that it took in all. */
interface MaintenanceCounts {
  finished: number;
  failed: number;
  seconds: number;
}

/**
 * What a server counts that nothing else remembers: events that are otherwise only logged. All
 * counts begin with 0, so that monitors see the first event as an increase.
 */
export class ServerEvents {
  readonly kills = { worker: noKills(), sparql: noKills() };
  /** Threads that failed outside of any job. */
  readonly failures = { worker: 0, sparql: 0 };
  readonly maintenance: Readonly<Record<MaintenanceEvent['work'], MaintenanceCounts>> = {
    checkpoint: { finished: 0, failed: 0, seconds: 0 },
    compact: { finished: 0, failed: 0, seconds: 0 },
  };

  noteKill(pool: PoolName, { reason }: Pick<ThreadKill, 'reason'>): void {
    this.kills[pool][reason]++;
  }

  noteFailure(pool: PoolName): void {
    this.failures[pool]++;
  }

  noteMaintenance({ work, state, duration = 0 }: MaintenanceEvent): void {
    if (state === 'begun') return;
    this.maintenance[work][state]++;
    this.maintenance[work].seconds += duration / 1000;
  }
}

function noKills(): Record<ThreadKill['reason'], number> {
  return { 'time-limit': 0, cancelled: 0, demoted: 0, heap: 0, crash: 0 };
}
