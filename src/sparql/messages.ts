/** The messages between the main thread and a SPARQL thread. */
import type { Result } from '../errors.ts';
import type { DescriptorUpdate } from '../snapshot/feed/descriptor-link.ts';
import type { EngineSettings } from './engine/settings.ts';
import type { SparqlEffects, SparqlQuery, SparqlResult, UpdateRequest } from './request.ts';
import type { MirrorImage } from './thread/mirror.ts';

export interface SparqlThreadData {
  readonly settings: EngineSettings;
  /** `ThreadStatus.buffer`. */
  readonly status: SharedArrayBuffer;
  readonly changeFeed: SharedArrayBuffer;
  /** Whether it runs at low priority, if the system supports that. */
  readonly lowPriority: boolean;
}

export type SparqlJob =
  | { readonly kind: 'query'; readonly query: SparqlQuery }
  | { readonly kind: 'update'; readonly update: UpdateRequest };

/** Jobs that are sent to a thread in one message. */
export interface SparqlBatch {
  /** Update to the newest snapshot; undefined if the thread has it. */
  readonly snapshot: DescriptorUpdate | undefined;
  readonly jobs: readonly SparqlJob[];
  /**
   * The image for a new instance if the thread has none; undefined if it has already been sent, or
   * if there is none.
   */
  readonly image: MirrorImage | undefined;
}

/** A string is the text of a query that otherwise equals the query before it. */
export type PackedJob = SparqlJob | string;

/** The format of a batch in a message: sending a text costs a quarter of sending an object. */
export interface PackedBatch extends Omit<SparqlBatch, 'jobs'> {
  readonly jobs: readonly PackedJob[];
}

/** The outcome of a job. */
export type SparqlOutcome = Result<SparqlResult | SparqlEffects>;

export interface SparqlOutput {
  /** The results of the first jobs only, if a long job ended the batch. */
  readonly results: readonly SparqlOutcome[];
  /** Milliseconds that each of these jobs took. */
  readonly times: readonly number[];
  /** Whether the thread has more memory than the data need and should be terminated. */
  readonly isBloated: boolean;
  /** Whether the last of these jobs made the instance unusable. */
  readonly isBroken: boolean;
  /** The image of an instance that was made in this batch, unless a recent image exists. */
  readonly image: MirrorImage | undefined;
  /** Whether the data do not fit into an instance. */
  readonly isTooBig: boolean;
  /** Why no instance could be made, although it is not known that the data do not fit. */
  readonly failure: string | undefined;
}

/** The format of an output in a message: sending one array costs less than sending many. */
export interface PackedOutput extends Omit<SparqlOutput, 'results'> {
  /** A number is the commit number of a result with a short body. */
  readonly results: readonly (SparqlOutcome | number)[];
  /** The concatenated short bodies. */
  readonly bytes: Uint8Array;
  /** For each result, the end of its body in `bytes`; it begins at the end of the one before. */
  readonly ends: readonly number[];
}
