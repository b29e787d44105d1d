import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Disk } from '../journal/disk.ts';
import type { Changes } from '../snapshot/changes.ts';
import type { Checkpoint } from './checkpoint.ts';
import { readCheckpointQuads } from './checkpoint-reader.ts';
import type { OxigraphRecord, TargetState } from './oxigraph-record.ts';

/** Words of four-word rows that are added at a time: about a quarter of a second. */
const SLICE_WORDS = 4 << 15;
const nothing = new Uint32Array(0);

/** What the record is made of: the checkpoint's quads, then what the journal changed since, in order. */
export interface RecordSource {
  readonly disk: Disk;
  readonly checkpoint: Checkpoint | undefined;
  readonly replayed: readonly Changes[];
}

/**
 * Loads an empty record until it equals `target`, the snapshot that was made of the same source, in slices between which the
 * thread takes in messages. Rejects with the reason of `signal` when that is aborted. Errors: `data-damaged`; what
 * Oxigraph throws when its memory ends.
 */
export async function loadRecord(
  record: OxigraphRecord,
  { disk, checkpoint, replayed }: RecordSource,
  target: TargetState,
  signal?: AbortSignal,
): Promise<void> {
  const pause = async () => {
    await nextTurn();
    signal?.throwIfAborted();
  };
  if (checkpoint) {
    record.reserve(checkpoint.quadCount);
    await readCheckpointQuads(disk, checkpoint, (lines) => record.loadLines(lines), pause);
  }
  for (const changes of replayed) {
    for (const slice of slicesOf(changes)) {
      await pause();
      // Loading anew brings all that follows too.
      if (record.room < 0 && record.isWasteful(target.quadCount)) return record.reload(target);
      record.change(slice, target);
    }
  }
}

function* slicesOf({ additions, removals }: Changes): Generator<Changes> {
  if (removals.length > 0) yield { additions: nothing, removals };
  for (let from = 0; from < additions.length; from += SLICE_WORDS) {
    yield { additions: additions.subarray(from, from + SLICE_WORDS), removals: nothing };
  }
}
