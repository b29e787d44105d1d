import { type JournalRecord, NEW_FORMAT_VERSION, REFERENCE_VERSION } from '../../journal/record.ts';
import type { Dictionary } from '../../snapshot/dictionary/dictionary.ts';
import { rowsNeedNewFormat } from '../../snapshot/dictionary/new-format.ts';
import type { Changes } from '../../snapshot/write/changes.ts';
import { encodeBlocks, encodePatch, encodeReference, type PatchReference } from '../patch/patch.ts';
import type { PlannedEffect } from '../planning/planner.ts';

/** Returns the records of effects, with copies of the terms. */
export function recordsOf(effects: readonly PlannedEffect[], terms: Dictionary): JournalRecord[] {
  return effects.map((effect) => recordOf(effect, terms));
}

function recordOf(
  { sequence, header, steps, patch, encoded }: PlannedEffect,
  terms: Dictionary,
): JournalRecord {
  if (patch) return { sequence, payload: encodeReference(header, patch), version: referenceVersion(patch) };
  // A shared log keeps no versions.
  if (encoded) {
    return { sequence, payload: encodeBlocks(header, encoded.rows.length / 4, encoded.blocks) };
  }
  return { sequence, payload: encodePatch(header, steps, terms), version: patchVersion(steps, terms) };
}

/** The version of a journal file that may name the file with the rows. */
function referenceVersion({ needsNewFormat = false }: PatchReference): number {
  return needsNewFormat ? NEW_FORMAT_VERSION : REFERENCE_VERSION;
}

/** The version of a journal file that may contain the rows. */
function patchVersion(steps: readonly Changes[], terms: Dictionary): number {
  if (!terms.mayNeedNewFormat) return 1;
  return steps.some(({ additions }) => rowsNeedNewFormat(additions, terms)) ? NEW_FORMAT_VERSION : 1;
}
