import type { MessagePort } from 'node:worker_threads';
import type { ChangedRows } from '../changes/messages.ts';
import type { ErrorData, Result } from '../errors.ts';
import type { InteractionModel, MembershipConfiguration } from '../ldp/model/kinds.ts';
import type { Frame } from '../ldpath/shapes/result-shape.ts';
import type { QuadBlock } from '../rdf/model/quad-block.ts';
import type { IriPatterns } from '../rdf/model/resources/iri-patterns.ts';
import type { DeclaredStartSet, StartSet } from '../rdf/model/resources/start-set.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { IriIndex } from '../snapshot/dictionary/iri-index.ts';
import type { Compacted, Compaction } from '../snapshot/runs/compact.ts';
import type { SparqlEffects, UpdateRequest } from '../sparql/request.ts';
import type { StartPack } from './batch/start-pack.ts';
import type { StartPosition } from './batch/start-position.ts';
import type {
  BuildChangesJob,
  BuiltChanges,
  EncodeChangesJob,
  EncodedChanges,
  PlanChangesJob,
  PlannedChanges,
} from './change-messages.ts';
import type { Selection } from './evaluation-request.ts';
import type { ProgramChangesJob, ProgramChangesOutput } from './program-changes.ts';
import type { EvaluationPack } from './runs/evaluation-pack.ts';

/**
 * All messages between the main thread and a pool thread. They are plain data only, since
 * structured cloning does not preserve classes. A job carries the snapshot that it must read.
 */
export type Job =
  | EvaluateJob
  | DocumentsJob
  | DocumentJob
  | BatchJob
  | ProgramChangesJob
  | SentDataJob
  | StartsJob
  | DescribeJob
  | DescriptionJob
  | LdpStateJob
  | SerializeJob
  | CheckpointJob
  | CompactJob
  | PlanChangesJob
  | BuildChangesJob
  | EncodeChangesJob
  | IndexJob;

/** Several LDPath evaluations that run one after another (micro-batching). */
export interface EvaluateJob {
  readonly kind: 'evaluate';
  /**
   * Null for the snapshot of the thread's previous job, if that was an `EvaluateJob` or `BatchJob`:
   * a descriptor costs as much as the rest.
   */
  readonly snapshot: SnapshotDescriptor | null;
  readonly evaluations: EvaluationPack;
  readonly slot: number;
}

/** Jobs that read or write one document, which may be small. */
export type DocumentJob =
  | ParseJob
  | LdpBodyJob
  | LdpPatchJob
  | RepresentationJob
  | GraphEntriesJob
  | SparqlDataJob;

/** Small documents, one after another: waking a thread costs as much as reading one of them. */
export interface DocumentsJob {
  readonly kind: 'documents';
  readonly documents: readonly DocumentJob[];
  readonly slot: number;
}

/** One result for each document, in order: the output of its kind, or its error. */
export type DocumentsOutput = readonly Result<unknown>[];

/** The results of a micro-batch: JSON texts one after another in one buffer. */
export interface EvaluateOutput {
  readonly bytes: Uint8Array;
  /**
   * For each evaluation, in order, the end of its JSON in `bytes`; it begins where the previous one
   * ends.
   */
  readonly ends: Uint32Array;
  /** The evaluations that have an error instead of a result. */
  readonly errors: readonly EvaluationError[];
}

export interface EvaluationError {
  /** Index of the evaluation in the micro-batch. */
  readonly step: number;
  readonly error: ErrorData;
}

/**
 * One selection for many start resources, one after another, for a few milliseconds (http-api 4.8).
 */
export interface BatchJob {
  readonly kind: 'batch';
  /** As in `EvaluateJob`. */
  readonly snapshot: SnapshotDescriptor | null;
  /** The graphs that are read; undefined: all. */
  readonly visible: IriPatterns | undefined;
  readonly selection: Selection;
  readonly starts: StartPack;
  /**
   * True if all start resources count as existing, even if the snapshot does not mention them (see
   * `Evaluation.known`).
   */
  readonly lenient: boolean;
  /** True to leave out start resources that the program's `@filter` does not accept. */
  readonly filtered: boolean;
  /** Number of the thread's memory for the lines; null if they need a buffer of their own. */
  readonly memory: number | null;
  readonly slot: number;
}

export interface BatchOutput {
  readonly lines: BatchLines;
  /** In order. */
  readonly errors: readonly BatchJobError[];
  /**
   * Number of start resources, from the first on, that have a line or an error, or were left out.
   * The rest remain for lack of time or room.
   */
  readonly done: number;
  /** How many of these were left out (see `BatchJob.filtered`). */
  readonly omitted: number;
  /** True if the first remaining start resource was begun and did not end within its time here. */
  readonly slow: boolean;
  /**
   * Time for the start resources that are done; null if the thread had no processor for most of
   * that time.
   */
  readonly milliseconds: number | null;
}

/**
 * Lines of JSON, `{"uri":…,"result":…}`, one for each start resource that was evaluated without an
 * error: in a buffer of their own, or in the first `length` bytes of the memory that the job named.
 * If that memory was allocated for these lines, it comes with them: allocating memory each time
 * costs more than writing the lines.
 */
export type BatchLines = Uint8Array | { readonly length: number; readonly made: SharedArrayBuffer | null };

export interface BatchJobError {
  /** Offset in the lines at which its line belongs. */
  readonly at: number;
  /** Index of its start resource in the job. */
  readonly start: number;
  readonly error: ErrorData;
}

/**
 * Evaluates one selection on the data of a document, which the store never sees (http-api 4.13).
 */
export interface SentDataJob {
  readonly kind: 'sent-data';
  /** Only the prefixes in it are read. */
  readonly snapshot: SnapshotDescriptor;
  readonly document: Omit<ParseJob, 'kind' | 'brief' | 'slot'>;
  readonly selection: Selection;
  /** As clients write them, or a set. */
  readonly starts: readonly string[] | DeclaredStartSet;
  /** As in `BatchJob`. */
  readonly lenient: boolean;
  /** Milliseconds for all evaluations together. */
  readonly limitMs: number;
  readonly slot: number;
}

/** The documents of the start resources, and the errors of the others, as in a batch. */
export interface SentDataOutput {
  readonly bytes: Uint8Array;
  readonly errors: readonly NamedError[];
  readonly count: number;
  /** What surrounds the documents. */
  readonly frame: Frame;
}

export interface NamedError {
  /** Offset in the bytes at which its line belongs. */
  readonly at: number;
  readonly uri: string;
  readonly error: ErrorData;
}

/**
 * Finds the next members of a set of start resources, in ascending order of their ids. Errors:
 * those of the evaluation of a path; `position-gone` if ids have changed since `after`, and the
 * members before it are not given.
 */
export interface StartsJob {
  readonly kind: 'starts';
  readonly snapshot: SnapshotDescriptor;
  /** As in `BatchJob`. */
  readonly visible: IriPatterns | undefined;
  readonly set: StartSet;
  /** For the path of the set, besides the server's prefixes. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Null for the beginning. */
  readonly after: StartPosition | null;
  /**
   * The members before `after`, as far as they were in one page; ids may have changed since. Null
   * if they are unknown.
   */
  readonly before: StartPack | null;
  /** What the path selected when it was evaluated last; null if it was not, or for other sets. */
  readonly selected: SelectedStarts | null;
  /** Maximum number of members. */
  readonly most: number;
  /** Whether to count all members from `after` on, as far as that takes little time. */
  readonly counted: boolean;
  readonly slot: number;
}

export interface StartsOutput {
  /** IRIs, in shared memory. */
  readonly starts: StartPack;
  /** Their ids, ascending. */
  readonly ids: Uint32Array;
  /** Where the next members begin. */
  readonly after: StartPosition;
  /** Whether there are no further members. */
  readonly isLast: boolean;
  /** Number of all members, those of this page included; null if they were not counted. */
  readonly total: number | null;
  readonly selected: SelectedStarts | null;
}

/** The members of a set that a path selects: ids of one generation, ascending. */
export interface SelectedStarts {
  readonly generation: number;
  readonly ids: Uint32Array;
}

/** Requests the description of the language. */
export interface DescribeJob {
  readonly kind: 'describe';
  readonly slot: number;
}

export interface LanguageDescription {
  /** Sorted by name in code-point order. */
  readonly functions: readonly FunctionDescription[];
  /** IRIs of the types that values can be converted to. */
  readonly types: readonly string[];
}

/** See http-api 4.5. */
export interface FunctionDescription {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

/**
 * Reads an RDF document. The body is transferred; that of a small document is copied (see
 * `DocumentsJob`).
 */
export interface ParseJob {
  readonly kind: 'parse';
  readonly body: Uint8Array;
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /** WHATWG label; undefined for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
  /** Maximum size of the decoded body, in bytes. */
  readonly maxBytes: number;
  readonly baseIri: string;
  /**
   * True if work that takes longer than a few milliseconds is abandoned; the output is then null.
   */
  readonly brief: boolean;
  readonly slot: number;
}

/** What distinguishes an earlier state of a graph from that of the snapshot. */
export interface EarlierState {
  /** What has changed in the graph since. */
  readonly rows: ChangedRows;
  /** Its prefixes as the text of `DeclaredPrefixes`; null if they have not changed since. */
  readonly prefixes: string | null;
}

/**
 * The source of a document: a named graph, as it is or was, or the description of a node in
 * canonical N-Triples form (http-api R-50).
 */
export type DocumentSource =
  | { readonly graph: string; readonly earlier?: EarlierState }
  | { readonly description: string }
  /**
   * All graphs except those of the server and of this LDP space, which is written without a
   * trailing slash.
   */
  | { readonly allBut: string }
  | LdpRepresentation;

/**
 * The representation of an RDF source of the LDP space (http-api L-10), or the parts of it that a
 * client prefers (5.5).
 */
export interface LdpRepresentation {
  /** Its URI. */
  readonly ldp: string;
  readonly parts: LdpParts;
}

/** The requested parts of a container's representation. */
export interface LdpParts {
  /** Everything that would be there if the container were empty. */
  readonly minimal: boolean;
  readonly containment: boolean;
  readonly membership: boolean;
}

/**
 * Writes a representation if it is short. The output is null if it is longer than a chunk: a
 * `SerializeJob` must write it then.
 */
export interface RepresentationJob {
  readonly kind: 'representation';
  readonly snapshot: SnapshotDescriptor;
  readonly source: LdpRepresentation;
  /** As in `SerializeJob`. */
  readonly visible?: IriPatterns;
  /** Canonical media type. */
  readonly mediaType: string;
  readonly slot: number;
}

/**
 * Writes the entries of some graphs in the list of graphs (http-api 2.3): JSON objects separated by
 * commas.
 */
export interface GraphEntriesJob {
  readonly kind: 'graph-entries';
  readonly snapshot: SnapshotDescriptor;
  /** Names, as JSON strings separated by commas. */
  readonly names: Uint8Array;
  /** The graphs that labels are taken from; absent for all. */
  readonly visible?: IriPatterns;
  readonly slot: number;
}

/**
 * Reads an RDF body for a resource of the LDP space, and checks it against the rules of 5.6 to 5.9
 * and the resource's state in the snapshot. Its base IRI is the resource. Errors: those of
 * `ParseJob`, `constraint-violation` (`details.properties`), `type-conflict`,
 * `bad-interaction-model`.
 */
export interface LdpBodyJob extends Omit<ParseJob, 'kind' | 'baseIri'> {
  readonly kind: 'ldp-body';
  readonly snapshot: SnapshotDescriptor;
  readonly target: string;
  /** As in `SerializeJob`. */
  readonly visible?: IriPatterns;
  readonly purpose: LdpPurpose;
}

export type LdpPurpose =
  /**
   * `model`: the interaction model that the request asks for; null for the model that the body
   * declares, or else `defaultModel`.
   */
  | {
      readonly kind: 'create';
      readonly model: InteractionModel | null;
      readonly defaultModel: InteractionModel;
    }
  | { readonly kind: 'replace' };

export interface LdpBody {
  /** User triples: the body without its triples of server-managed properties. */
  readonly block: QuadBlock;
  /**
   * The interaction model of a created resource; for a replacement, the model of the existing
   * resource.
   */
  readonly model: InteractionModel;
  /** Set for a Direct or Indirect Container that is created; otherwise null. */
  readonly configuration: MembershipConfiguration | null;
}

/**
 * Computes the changes of a patch to a representation (http-api 5.10). Errors: `parse-error`,
 * `unsupported-patch`, `constraint-violation`, `too-large`, `time-limit`.
 */
export interface LdpPatchJob extends Omit<ParseJob, 'kind' | 'baseIri'> {
  readonly kind: 'ldp-patch';
  readonly snapshot: SnapshotDescriptor;
  /** URI of an RDF source. */
  readonly target: string;
  /** As in `SerializeJob`. */
  readonly visible?: IriPatterns;
}

/** Blank nodes are the store's, or have labels that no other node ever had. */
export interface LdpPatch {
  readonly additions: QuadBlock;
  readonly removals: QuadBlock;
}

/**
 * Computes the effects of an update, unless that requires an engine. Errors: `parse-error`,
 * `unsupported-sparql`, `bad-query`, `graph-not-found`, `graph-exists`, `server-managed`,
 * `ldp-managed`, `too-large`.
 */
export interface SparqlDataJob {
  readonly kind: 'sparql-data';
  readonly snapshot: SnapshotDescriptor;
  readonly request: UpdateRequest;
  /** As in `ParseJob`. */
  readonly brief: boolean;
  readonly slot: number;
}

export interface SparqlData {
  /** Null if the update has patterns, which require an engine. */
  readonly effects: SparqlEffects | null;
}

/** Digests what a client sees of an RDF source of the LDP space. */
export interface LdpStateJob {
  readonly kind: 'ldp-state';
  readonly snapshot: SnapshotDescriptor;
  readonly target: string;
  /** As in `SerializeJob`. */
  readonly visible?: IriPatterns;
  readonly slot: number;
}

/** Reads the description of a node. */
export interface DescriptionJob {
  readonly kind: 'description';
  readonly snapshot: SnapshotDescriptor;
  /** Canonical N-Triples form. */
  readonly node: string;
  /** Canonical media type; undefined if no document is requested. */
  readonly mediaType?: string;
  /** Names of the graphs that the client sees; absent for all. */
  readonly visible?: IriPatterns;
  readonly slot: number;
}

export interface Description {
  /** Both are part of its entity tags, see `DescriptionState`. */
  readonly sequence: number;
  readonly digest: string;
  /** Names of the graphs that contain a triple of it. */
  readonly graphs: readonly string[];
  /**
   * Null if no document was requested, or if it is longer than a chunk: a `SerializeJob` must write
   * it then.
   */
  readonly document: Uint8Array | null;
}

/**
 * Writes a graph or a description. The bytes are sent to `port` as they are produced, see
 * `SerializeMessage`.
 */
export interface SerializeJob {
  readonly kind: 'serialize';
  readonly snapshot: SnapshotDescriptor;
  readonly source: DocumentSource;
  /** Names of what the client sees; absent if it sees everything (http-api 1.19). */
  readonly visible?: IriPatterns;
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /**
   * The worker posts a `SerializeMessage` for each chunk and goes on while fewer than `window`
   * chunks are unacknowledged. The main thread posts a `ChunkReceipt` for each. The job's result
   * follows the last chunk.
   */
  readonly port: MessagePort;
  readonly window: number;
  /** Whether to run at a low priority of the operating system, because evaluations come in. */
  readonly lowPriority: boolean;
  readonly slot: number;
}

/**
 * A chunk: the first `length` bytes of a memory, which is sent with its first chunk. The memory is
 * shared and reused: transferring buffers costs the main thread full garbage collections, and
 * allocating them costs the worker a fifth of its time.
 */
export interface SerializeMessage {
  /** Number of the memory; null if it is used for this chunk only. */
  readonly memory: number | null;
  readonly length: number;
  readonly made?: SharedArrayBuffer;
}

/** The main thread's receipt for chunks; null if no more are wanted. */
export type ChunkReceipt = {
  /** True if one more chunk may be sent: the client took one, or there is room to buffer it. */
  readonly goOn: boolean;
  /** Number of a memory that may be reused. */
  readonly free?: number;
  /** Number of a memory that is no longer needed. */
  readonly forget?: number;
} | null;

/** Writes the image of a checkpoint (see `store/checkpoint/checkpoint.ts`). */
export interface CheckpointJob {
  readonly kind: 'checkpoint';
  readonly snapshot: SnapshotDescriptor;
  /** Absolute path of the data directory, which contains the file. */
  readonly directory: string;
  /** Proof that this process still owns the directory; undefined if no proof is needed. */
  readonly lease?: { readonly file: string; readonly id: string } | undefined;
  readonly imageFile: string;
  readonly slot: number;
}

export interface CheckpointOutput {
  readonly image: PieceDigests;
  /** Whether there are terms that older releases would misread. */
  readonly needsNewFormat: boolean;
}

/** Digests of the pieces of a file, so that several threads can verify it at once. */
export interface PieceDigests {
  /** Size of the file. */
  readonly bytes: number;
  /** Size of each piece except the last. */
  readonly pieceBytes: number;
  /** SHA-256 of each piece, hexadecimal. */
  readonly pieces: readonly string[];
}

/** Merges several runs of a snapshot into one. */
export interface CompactJob {
  readonly kind: 'compact';
  readonly compaction: Compaction;
  readonly slot: number;
}

/** Sorts the IRIs of a snapshot. `previous` saves sorting those that it contains. */
export interface IndexJob {
  readonly kind: 'index';
  readonly snapshot: SnapshotDescriptor;
  readonly previous: IriIndex | null;
  readonly slot: number;
}

/** The output of each kind of job. */
export interface Outputs {
  evaluate: EvaluateOutput;
  documents: DocumentsOutput;
  batch: BatchOutput;
  'program-changes': ProgramChangesOutput;
  'sent-data': SentDataOutput;
  starts: StartsOutput;
  describe: LanguageDescription;
  description: Description;
  'ldp-state': string;
  index: IriIndex;
  parse: QuadBlock | null;
  representation: Uint8Array | null;
  'graph-entries': Uint8Array;
  'ldp-body': LdpBody | null;
  'ldp-patch': LdpPatch | null;
  'sparql-data': SparqlData | null;
  serialize: null;
  checkpoint: CheckpointOutput;
  compact: Compacted;
  'plan-changes': PlannedChanges;
  'build-changes': BuiltChanges;
  'encode-changes': EncodedChanges;
}
