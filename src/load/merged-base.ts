import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { ColumnScan, type Scan } from '../snapshot/read/scans.ts';
import { baseOf, buildBase, type Columns } from '../snapshot/runs/base-builder.ts';
import type { BaseRun } from '../snapshot/runs/base-run.ts';
import { MergedScan } from '../snapshot/runs/merged-scan.ts';
import { BY_SUBJECT } from '../snapshot/runs/order.ts';
import { Runs } from '../snapshot/runs/runs.ts';
import type { SortedColumns } from '../snapshot/runs/sorted-columns.ts';
import { sortQuads } from '../snapshot/runs/sorted-quads.ts';
import type { RowList } from './row-list.ts';

/**
 * Returns a base run with the quads of a snapshot and the given rows, which are removed from their
 * list.
 */
export function baseWith(snapshot: SnapshotDescriptor, rows: RowList, terms: number): BaseRun {
  const sorted = sortQuads(rows.take());
  if (snapshot.quadCount === 0) return baseOf(columnsOf(sorted), terms);
  const added = () => new ColumnScan().reset(sorted);
  const all = () => new MergedScan(new Runs(snapshot)).start(BY_SUBJECT, 0).add(added());
  return buildBase(all(), countOf(all()), terms);
}

function columnsOf(quads: SortedColumns): Columns {
  return { s: quads.column(0), p: quads.column(1), o: quads.column(2), g: quads.column(3) };
}

function countOf(scan: Scan): number {
  let count = 0;
  while (scan.next()) count++;
  return count;
}
