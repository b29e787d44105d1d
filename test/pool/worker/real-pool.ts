import type { TestContext } from 'node:test';
import { Pool } from '../../../src/pool/pool.ts';
import type { PoolSettings } from '../../../src/pool/settings.ts';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';

export const GRAPH = 'http://example.org/graph';

/** Returns a snapshot of one graph. */
export function snapshotOf(turtle: string): SnapshotDescriptor {
  const writer = new SnapshotWriter();
  const block = parseRdf(new TextEncoder().encode(turtle), { mediaType: 'text/turtle', baseIri: GRAPH });
  writer.apply(planMerge(writer, GRAPH, block, 'b'));
  return writer.publish(1);
}

/** Returns a pool with the server's own threads, which is closed when the test ends. */
export function realPool(
  t: TestContext,
  snapshot: SnapshotDescriptor,
  settings: Partial<PoolSettings> = {},
): Pool {
  const prefixes = { ex: 'http://example.org/' };
  const pool = new Pool({ threads: 2, snapshot: () => snapshot, prefixes, settings });
  t.after(() => pool.close(0));
  return pool;
}
