import type { Disk } from '../../journal/disk/disk.ts';
import type { BuildChangesJob, BuiltChanges, CommitProgress } from '../../pool/change-messages.ts';
import { rowsNeedNewFormat } from '../../snapshot/dictionary/new-format.ts';
import { openSnapshot } from '../../snapshot/read/reader.ts';
import { buildDelta } from '../../snapshot/runs/delta-builder.ts';
import { REMOVED } from '../../snapshot/runs/order.ts';
import { sortQuads } from '../../snapshot/runs/sorted-quads.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { writePatchFile } from '../patch/file.ts';
import { blockPieces, inOneArena } from '../patch/row-block.ts';
import { asStoreFull } from '../planning/room.ts';
import { requireWanted } from './plan-changes.ts';

type BuildRequest = Omit<BuildChangesJob, 'kind' | 'slot'>;

/**
 * Builds a delta run from planned changes and, for a store on disk, writes the patch file. Runs in
 * a pool thread. Throws `cancelled`, `store-full` and the errors of the disk.
 */
export async function buildChanges(disk: Disk | null, job: BuildRequest): Promise<BuiltChanges> {
  try {
    return await build(disk, job);
  } catch (error) {
    throw asStoreFull(error);
  }
}

async function build(disk: Disk | null, job: BuildRequest): Promise<BuiltChanges> {
  const { snapshot, rows, removals, patch, progress } = job;
  if (rows.length === 0) return { run: null, patch: null, needsNewFormat: false };
  const real = realRows(job);
  const changes = { removals: real.subarray(0, 4 * removals), additions: real.subarray(4 * removals) };
  const { terms } = openSnapshot(snapshot);
  const pieces = blockPieces(changes, inOneArena(terms));
  const written = disk && patch ? await writePatchFile(disk, patch.name, watched(pieces, progress)) : null;
  const needsNewFormat = terms.mayNeedNewFormat && rowsNeedNewFormat(changes.additions, terms);
  return { run: runOf(changes), patch: written, needsNewFormat };
}

/** Returns the rows with provisional term ids replaced by real ones. */
function realRows({ rows, knownTerms, newIds }: Pick<BuildChangesJob, 'rows' | 'knownTerms' | 'newIds'>) {
  const real = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const id = rows[i]!;
    real[i] = id > knownTerms ? newIds[id - knownTerms - 1]! : id;
  }
  return real;
}

/** Passes the chunks on; throws `cancelled` once the transaction is cancelled. */
export function* watched(
  pieces: Iterable<Uint8Array>,
  progress: CommitProgress | undefined,
): Generator<Uint8Array> {
  for (const piece of pieces) {
    requireWanted(progress);
    yield piece;
  }
}

/** Marks the removals in place, in the rows of the changes themselves. */
export function runOf({ removals, additions }: Changes): SharedArrayBuffer | null {
  for (let i = 3; i < removals.length; i += 4) removals[i]! |= REMOVED;
  const rows = new Uint32Array(removals.buffer, 0, removals.length + additions.length);
  return buildDelta(sortQuads(rows))?.words.buffer ?? null;
}
