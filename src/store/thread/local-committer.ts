import type { AppendOutcome } from '../../journal/commit-log.ts';
import type { ChangeFeedWriter } from '../../snapshot/feed/change-feed.ts';
import type { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import type { CheckpointName } from '../checkpoint/checkpoint.ts';
import type { WorkingGraphs } from '../graphs/working-graphs.ts';
import type { PatchFiles } from '../patch/file-set.ts';
import type { PlannedEffect } from '../planning/planner.ts';
import type { Committer } from './committer.ts';
import type { Durability } from './durability.ts';
import { recordsOf } from './effect-records.ts';
import { storeFailed } from './store-failed.ts';

interface LocalParts {
  readonly writer: SnapshotWriter;
  readonly graphs: WorkingGraphs;
  readonly feed: ChangeFeedWriter;
  readonly patches: PatchFiles;
  /** Null keeps everything in memory. */
  readonly durability: Durability | null;
  readonly sequence: number;
  readonly now: () => number;
}

/** The commits of a process that alone writes to its log: the planned effects are applied as is. */
export class LocalCommitter implements Committer {
  readonly rejection = undefined;
  readonly mayCheckpoint = true;
  readonly now: () => number;
  readonly #parts: LocalParts;
  #sequence: number;

  constructor(parts: LocalParts) {
    this.#parts = parts;
    this.#sequence = parts.sequence;
    this.now = parts.now;
  }

  get sequence(): number {
    return this.#sequence;
  }

  async commit(effects: readonly PlannedEffect[]): Promise<AppendOutcome> {
    const { writer, graphs, feed, patches, durability } = this.#parts;
    try {
      await durability?.log.append(recordsOf(effects, writer.terms));
    } catch (error) {
      writer.discard();
      graphs.discard();
      throw error;
    }
    try {
      for (const { sequence, patch } of effects) if (patch) patches.add(patch, sequence);
      feed.write(effects);
    } catch (error) {
      throw storeFailed(error);
    }
    this.#sequence = effects.at(-1)?.sequence ?? this.#sequence;
    return 'committed';
  }

  async checkpointed({ sequence }: CheckpointName): Promise<void> {
    const { durability, patches } = this.#parts;
    if (!durability) return;
    const { disk, log, retention } = durability;
    await log.checkpointed(sequence);
    await patches.retireThrough(sequence, (name, commit) =>
      retention ? retention.retirePatch(name, commit) : disk.remove(name),
    );
    await retention?.prune();
  }
}
