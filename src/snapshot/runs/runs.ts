import type { SnapshotDescriptor } from '../descriptor.ts';
import { BaseRun } from './base-run.ts';
import { ChangeLog } from './change-log.ts';
import { DeltaRun } from './delta-run.ts';
import { MergedScan } from './merged-scan.ts';

/**
 * All quads of a snapshot: those of the base run, changed by the deltas (oldest first), changed by
 * the log.
 */
export class Runs {
  readonly base: BaseRun;
  readonly deltas: readonly DeltaRun[];
  readonly log: ChangeLog;
  #scan: MergedScan | undefined;

  constructor(descriptor: SnapshotDescriptor) {
    this.base = new BaseRun(descriptor.base);
    this.deltas = descriptor.deltas.map((buffer) => new DeltaRun(buffer));
    this.log = new ChangeLog(descriptor.log, descriptor.logCount);
  }

  /**
   * One scan for all lookups of a thread. A caller that starts it must finish with it before the
   * next one starts it.
   */
  get scan(): MergedScan {
    this.#scan ??= new MergedScan(this);
    return this.#scan;
  }
}
