import type { ChangedRows } from '../changes/messages.ts';
import type { ErrorData } from '../errors.ts';
import type { IriPatterns } from '../rdf/model/resources/iri-patterns.ts';
import type { DeclaredStartSet } from '../rdf/model/resources/start-set.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { TermList } from '../snapshot/dictionary/overlay.ts';
import type { StepBack } from '../snapshot/read/earlier-snapshot.ts';
import type { Selection } from './evaluation-request.ts';

/**
 * Finds the start resources of a stored program whose results differ between an earlier commit and
 * a snapshot, for a few milliseconds; another job goes on where it ends.
 */
export interface ProgramChangesJob {
  readonly kind: 'program-changes';
  readonly snapshot: SnapshotDescriptor;
  /** The graphs whose changes count and that are read; undefined: all. */
  readonly visible: IriPatterns | undefined;
  readonly program: WatchedProgram;
  /** Number of the earlier commit. */
  readonly since: number;
  /** Its position, for the lines. */
  readonly position: string;
  /** The ring with the newest commits. */
  readonly feed: SharedArrayBuffer;
  /**
   * For the first job: the rows of the commits between in these graphs; null to read them from the
   * ring.
   */
  readonly rows: ChangedRows | null;
  /** What the first job has found; null for that. */
  readonly prepared: PreparedWindow | null;
  /** How many of the affected start resources are done. */
  readonly next: number;
  /**
   * True to evaluate only the next start resource, on the snapshot alone, with the full time limit
   * of an evaluation.
   */
  readonly slow: boolean;
  readonly slot: number;
}

/** A stored program, as far as its results depend on it. */
export interface WatchedProgram {
  readonly selection: Selection;
  /** Null for all subjects. */
  readonly starts: DeclaredStartSet | null;
}

/** Ids of the snapshot, ascending. */
export interface AffectedIds {
  readonly ids: Uint32Array;
  /** Those of them whose earlier result is not known for sure. */
  readonly incomparable: Uint32Array;
  /** Those that were members earlier, as only quads show whose order is not known. */
  readonly oldMembers: Uint32Array;
}

/**
 * What the first job of a window finds for the others, so that these need no rows. What is large is
 * in shared memory.
 */
export interface PreparedWindow {
  readonly earlier: StepBack;
  readonly affected: AffectedIds;
  /** The texts of the last ones of `affected.ids`: those that the dictionary has dropped. */
  readonly dropped: TermList;
}

export type ProgramChangesOutput =
  /** The ring does not have the commits, or there are many rows: the job needs `rows`. */
  | { readonly kind: 'rows-needed' }
  /** More start resources may be affected than are evaluated for one window. */
  | { readonly kind: 'too-many' }
  /** A prefix that the program may use has changed, so that all results may be others. */
  | { readonly kind: 'prefixes-changed' }
  | ChangedLines;

export interface ChangedLines {
  readonly kind: 'lines';
  /** A line `{"position":…,"uri":…,…}` for each changed result, ended by a line feed. */
  readonly bytes: Uint8Array;
  /** Number of lines, those of `errors` included. */
  readonly count: number;
  /** The evaluations that failed, in order. */
  readonly errors: readonly FailedResult[];
  /** For the jobs that go on; null if none is left to do. */
  readonly prepared: PreparedWindow | null;
  /** As in the job: what is left for the next one. */
  readonly next: number;
  /** True if the next start resource takes long. */
  readonly slow: boolean;
  readonly milliseconds: number;
}

export interface FailedResult {
  /** Offset in `bytes` at which its line belongs. */
  readonly at: number;
  readonly uri: string;
  readonly error: ErrorData;
}

/** The most quads that a window may change. */
export const MOST_WINDOW_QUADS = 2 ** 18;
/** A window with more rows takes long to prepare, and is not read from the ring. */
export const FEW_WINDOW_ROWS = 10_000;
