import type { RequestMeter } from '../http/middleware/request-meter.ts';
import type { Pool } from '../pool/pool.ts';
import type { ChangeService } from '../services/changes/service.ts';
import type { ServerHealth } from '../services/health/server-health.ts';
import type { SparqlPool } from '../sparql/main/pool.ts';
import type { StoreClient } from '../store/main/client.ts';
import type { ServerEvents } from './events.ts';
import type { Labels } from './families.ts';

/** A process of a cluster. */
export interface ClusterReadings {
  readonly holdsLease: boolean;
  readonly members: readonly unknown[];
  readonly isConnected: boolean;
  /** The number of commits that another process has, and this one not yet. */
  readonly lag: number;
  readonly forwarded: Readonly<Record<'passed' | 'redirected' | 'unavailable' | 'unknown', number>>;
}

/** The parts that are read when metrics are asked for. */
export interface LoadedSources {
  readonly store: Pick<StoreClient, 'snapshot' | 'graphs' | 'journal' | 'pending'>;
  readonly pool: Pick<Pool, 'counts' | 'evaluated'>;
  readonly sparqlPool: Pick<SparqlPool, 'counts'>;
  readonly changes: Pick<ChangeService, 'open' | 'lag' | 'delivered'>;
  /** Undefined on a single server. */
  readonly cluster?: ClusterReadings | undefined;
}

export interface MetricSources {
  readonly meter: RequestMeter;
  readonly health: Pick<ServerHealth, 'hindrances' | 'damage' | 'reasons'>;
  readonly events: ServerEvents;
  readonly info: Labels;
  /** `--data-max`, in bytes. */
  readonly dataMax: number;
  /** Undefined while the data are loading. */
  loaded: LoadedSources | undefined;
}
