import type { Pool } from '../../pool/pool.ts';
import type { ThreadReading } from '../../pool/threads/work-meter.ts';
import type { SparqlPool } from '../../sparql/main/pool.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { ImportTasks } from './import-tasks.ts';

interface ThreadParts {
  readonly store: Pick<StoreClient, 'busyMs'>;
  readonly imports: Pick<ImportTasks, 'oldest'>;
  readonly pool: Pick<Pool, 'readThreads'>;
  readonly sparqlPool: Pick<SparqlPool, 'readThreads'>;
}

/**
 * Returns what all threads that tasks name have done and do now, always in the same order. Of
 * `main` and `store` only the total is known.
 */
export function readServerThreads({ store, imports, pool, sparqlPool }: ThreadParts): ThreadReading[] {
  const { oldest } = imports;
  const stored = oldest ? { id: oldest.id, name: oldest.name, group: oldest.group } : null;
  const mainBusyMs = performance.eventLoopUtilization().active;
  return [
    { thread: 'main', task: null, busyMs: mainBusyMs, work: {}, jobs: 0 },
    { thread: 'store', task: stored, busyMs: store.busyMs, work: {}, jobs: 0 },
    ...pool.readThreads(),
    ...sparqlPool.readThreads(),
  ];
}
