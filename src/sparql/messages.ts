/** What the main thread and a SPARQL thread say to one another. */
import type { Result } from '../errors.ts';
import type { DescriptorUpdate } from '../snapshot/feed/descriptor-link.ts';
import type { EngineSettings } from './engine/settings.ts';
import type { SparqlAnswer, SparqlEffects, SparqlQuery, UpdateRequest } from './request.ts';
import type { MirrorImage } from './thread/mirror.ts';

export interface SparqlThreadData {
  readonly settings: EngineSettings;
  /** `ThreadStatus.buffer`. */
  readonly status: SharedArrayBuffer;
  readonly changeFeed: SharedArrayBuffer;
  /** Runs at a low priority of the system where it can be had. */
  readonly lowPriority: boolean;
}

export type SparqlJob =
  | { readonly kind: 'query'; readonly query: SparqlQuery }
  | { readonly kind: 'update'; readonly update: UpdateRequest };

/** Jobs that go to a thread together. */
export interface SparqlBatch {
  /** Of the newest snapshot; undefined when the thread has it. */
  readonly snapshot: DescriptorUpdate | undefined;
  readonly jobs: readonly SparqlJob[];
  /**
   * What an instance is made from when the thread has none; undefined when it was told before, or
   * there is none.
   */
  readonly image: MirrorImage | undefined;
}

/** A text is that of a query that is like the one before it in all else. */
export type PackedJob = SparqlJob | string;

/** The same on its way: to send a text costs a quarter of what it costs to send an object. */
export interface PackedBatch extends Omit<SparqlBatch, 'jobs'> {
  readonly jobs: readonly PackedJob[];
}

/** What came of a job. */
export type SparqlOutcome = Result<SparqlAnswer | SparqlEffects>;

export interface SparqlOutput {
  /** Of the first jobs: one that takes a while ends a batch. */
  readonly results: readonly SparqlOutcome[];
  /** Milliseconds that each of them took. */
  readonly times: readonly number[];
  /** The thread has memory that it does not need for the data, and should be ended. */
  readonly isBloated: boolean;
  /** Of an instance that was made in this batch, unless there is one that is not old. */
  readonly image: MirrorImage | undefined;
  /** The data do not fit into an instance. */
  readonly isTooBig: boolean;
  /** Why no instance could be made, although it is not known that the data do not fit. */
  readonly failure: string | undefined;
}

/** The same on its way: it costs less to send one array than many. */
export interface PackedOutput extends Omit<SparqlOutput, 'results'> {
  /** A number is the sequence of an answer with a short body. */
  readonly results: readonly (SparqlOutcome | number)[];
  /** The bodies of these answers, one after another. */
  readonly bytes: Uint8Array;
  /** For each result, where its body ends in `bytes`; it begins where the one before ends. */
  readonly ends: readonly number[];
}
