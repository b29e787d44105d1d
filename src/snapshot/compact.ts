import { buildBase } from './base-builder.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_SUBJECT } from './order.ts';
import { Runs } from './runs.ts';

/** A base run with the quads of the whole snapshot: what all its runs say together. */
export function compact(descriptor: SnapshotDescriptor): SharedArrayBuffer {
  const scan = new MergedScan(new Runs(descriptor)).start(BY_SUBJECT, 0);
  return buildBase(scan, descriptor.quadCount, descriptor.dictionary.termCount).words.buffer;
}
