import type { MessagePort } from 'node:worker_threads';
import type { ErrorData, Result } from '../errors.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import type { LdpModel, MembershipConfiguration } from '../ldp/model.ts';
import type { Compacted, Compaction } from '../snapshot/compact.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { IriIndex } from '../snapshot/iri-index.ts';
import type { SparqlEffects, UpdateRequest } from '../sparql/request.ts';
import type { BuildChangesJob, BuiltChanges, PlanChangesJob, PlannedChanges } from './change-messages.ts';
import type { EvaluationPack } from './evaluation-pack.ts';
import type { StartPack } from './start-pack.ts';

/**
 * Everything that crosses the border between the main thread and a pool thread. Plain data only: classes do
 * not survive the crossing. A job carries the snapshot that it must read.
 */
export type Job =
  | EvaluateJob
  | DocumentsJob
  | DocumentJob
  | BulkJob
  | DescribeJob
  | DescriptionJob
  | SerializeJob
  | CheckpointJob
  | CompactJob
  | PlanChangesJob
  | BuildChangesJob
  | IndexJob;

/** Several LDPath evaluations that run one after another (micro-batching). */
export interface EvaluateJob {
  readonly kind: 'evaluate';
  /** Null for that of the thread's job before this one, an `EvaluateJob` or `BulkJob`: a descriptor costs as much as the rest. */
  readonly snapshot: SnapshotDescriptor | null;
  readonly evaluations: EvaluationPack;
  readonly slot: number;
}

/** What reads or writes one document that may be small. */
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

/** One for each document, in order: the output of its kind, or its error. */
export type DocumentsOutput = readonly Result<unknown>[];

/** A path or a program, with what it needs to be compiled. */
export interface Selection {
  /** `path`: the result is an array of node objects; `program`: an object of fields (http-api 4.2, 4.3). */
  readonly mode: 'path' | 'program';
  readonly source: string;
  /** Prefixes beside the server's table, from `ns_…` parameters. */
  readonly namespaces?: Readonly<Record<string, string>>;
}

/**
 * What the JSON of an answer is:
 * - `result`: the result itself
 * - `members`: members of an object, without its braces: `"result":…`, and `"filter":…` (whether the start passes) and
 *   `"boost":…` (a number) when the program has them
 * - `details`: the same, with `"skipped":[{"field","message"}]` for the values that did not convert
 * - `predicates`: an array of the IRIs of predicates that the selected nodes have, sorted
 * - `warnings`: nothing is evaluated; an array of `{"message","line","column"}` (ldpath 8.6)
 */
export const answerKinds = ['result', 'members', 'details', 'predicates', 'warnings'] as const;
export type AnswerKind = (typeof answerKinds)[number];

export interface Evaluation extends Selection {
  /** Start resource: an absolute IRI, or a blank node as `_:label`. */
  readonly start: string;
  /** True when the resource is known to exist although no triple may mention it (http-api R-1). */
  readonly known: boolean;
  /** `result` when it is left out. */
  readonly answer?: AnswerKind;
}

/** The answers of a batch: JSON texts one after another in one transferred buffer. */
export interface EvaluateOutput {
  readonly bytes: Uint8Array;
  /** One for each evaluation, in order: where its JSON ends in `bytes` (it begins where the last ended). */
  readonly ends: Uint32Array;
  /** The evaluations that have an error in place of an answer. */
  readonly errors: readonly EvaluationError[];
}

export interface EvaluationError {
  /** The evaluation's place in the batch. */
  readonly step: number;
  readonly error: ErrorData;
}

/** One selection for many start resources, one after another, for a few milliseconds (http-api 4.8). */
export interface BulkJob {
  readonly kind: 'bulk';
  /** As that of an `EvaluateJob`. */
  readonly snapshot: SnapshotDescriptor | null;
  readonly selection: Selection;
  readonly starts: StartPack;
  /** True: all starts count as existing, whatever the snapshot says (see `Evaluation.known`). */
  readonly lenient: boolean;
  /** Number of the thread's memory that takes the lines; null when they are to come in a buffer of their own. */
  readonly memory: number | null;
  readonly slot: number;
}

export interface BulkOutput {
  readonly lines: BulkLines;
  /** In order. */
  readonly errors: readonly BulkJobError[];
  /** Starts, from the first on, that have a line or an error; the rest was left for lack of time or room. */
  readonly done: number;
  /** True when the first one left was begun and did not end within its time here. */
  readonly slow: boolean;
  /** What those that are done took; null when their thread was without a processor for most of that. */
  readonly milliseconds: number | null;
}

/**
 * Lines of JSON, `{"uri":…,"result":…}`, one for each start that was answered without an error: in a buffer of their own,
 * or the first `length` bytes of the memory that the job named. The memory comes with them when it was made for them:
 * memory that is new each time costs more than what is written into it.
 */
export type BulkLines = Uint8Array | { readonly length: number; readonly made: SharedArrayBuffer | null };

export interface BulkJobError {
  /** Place in the lines where its line belongs. */
  readonly at: number;
  /** Place of its start in the job. */
  readonly start: number;
  readonly error: ErrorData;
}

/** Asks for what the language offers. */
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

/** As http-api 4.5 has it. */
export interface FunctionDescription {
  readonly name: string;
  readonly signature: string;
  readonly description: string;
}

/** Reads an RDF document. The body is transferred; that of a small document is copied (see `DocumentsJob`). */
export interface ParseJob {
  readonly kind: 'parse';
  readonly body: Uint8Array;
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /** WHATWG label; undefined for UTF-8. */
  readonly charset?: string;
  readonly gzip: boolean;
  /** Bytes that the decoded body may have. */
  readonly maxBytes: number;
  readonly baseIri: string;
  /** True: what takes longer than a few milliseconds is left, and the output is null. */
  readonly brief: boolean;
  readonly slot: number;
}

/** What a document is made of: a named graph, or the description of a node in canonical N-Triples form (http-api R-50). */
export type DocumentSource =
  | { readonly graph: string }
  | { readonly description: string }
  /** All graphs but those of the server and of this LDP space, which has no slash at its end. */
  | { readonly allBut: string }
  | LdpRepresentation;

/** The representation of an RDF source of the LDP space (http-api L-10), or the parts of it that a client prefers (5.5). */
export interface LdpRepresentation {
  /** Its URI. */
  readonly ldp: string;
  readonly parts: LdpParts;
}

/** What of a container's representation is meant. */
export interface LdpParts {
  /** All that would be there if the container were empty. */
  readonly minimal: boolean;
  readonly containment: boolean;
  readonly membership: boolean;
}

/** Writes a representation if it is short. Its output is null when it is longer than a chunk: then a `SerializeJob` is to write it. */
export interface RepresentationJob {
  readonly kind: 'representation';
  readonly snapshot: SnapshotDescriptor;
  readonly source: LdpRepresentation;
  /** Canonical media type. */
  readonly mediaType: string;
  readonly slot: number;
}

/** Writes what the listing of graphs says of some of them (http-api 2.3): JSON objects with commas between them. */
export interface GraphEntriesJob {
  readonly kind: 'graph-entries';
  readonly snapshot: SnapshotDescriptor;
  /** Names, as JSON strings with commas between them. */
  readonly names: Uint8Array;
  readonly slot: number;
}

/**
 * Reads an RDF body for a resource of the LDP space, and holds it against the rules of 5.6 to 5.9 as the snapshot has the
 * resource. Its base IRI is the resource. Errors: those of `ParseJob`, `constraint-violation`
 * (`details.properties`), `type-conflict`, `bad-interaction-model`.
 */
export interface LdpBodyJob extends Omit<ParseJob, 'kind' | 'baseIri'> {
  readonly kind: 'ldp-body';
  readonly snapshot: SnapshotDescriptor;
  readonly target: string;
  readonly purpose: LdpPurpose;
}

export type LdpPurpose =
  /** `model`: what the request asks for; null: what the body says of itself, else `defaultModel`. */
  | { readonly kind: 'create'; readonly model: LdpModel | null; readonly defaultModel: LdpModel }
  | { readonly kind: 'replace' };

export interface LdpBody {
  /** User triples: the body without what it says of managed properties. */
  readonly block: QuadBlock;
  /** Of what is created; of a replacement, what the resource is. */
  readonly model: LdpModel;
  /** Of a Direct or Indirect Container that is created; null else. */
  readonly configuration: MembershipConfiguration | null;
}

/**
 * Works out what a patch does to a representation (http-api 5.10). Errors: `parse-error`, `unsupported-patch`,
 * `constraint-violation`, `too-large`, `time-limit`.
 */
export interface LdpPatchJob extends Omit<ParseJob, 'kind' | 'baseIri'> {
  readonly kind: 'ldp-patch';
  readonly snapshot: SnapshotDescriptor;
  /** An RDF source. */
  readonly target: string;
}

/** Blank nodes are the store's, or have labels that no other node ever had. */
export interface LdpPatch {
  readonly additions: QuadBlock;
  readonly removals: QuadBlock;
}

/**
 * Works out what an update comes to, unless that takes an engine. Errors: `parse-error`,
 * `unsupported-sparql`, `bad-query`, `graph-not-found`, `graph-exists`, `server-managed`,
 * `ldp-managed`, `too-large`.
 */
export interface SparqlDataJob {
  readonly kind: 'sparql-data';
  readonly snapshot: SnapshotDescriptor;
  readonly request: UpdateRequest;
  /** As that of a `ParseJob`. */
  readonly brief: boolean;
  readonly slot: number;
}

export interface SparqlData {
  /** Null: it has patterns, which take an engine. */
  readonly effects: SparqlEffects | null;
}

/** Reads the description of a node. */
export interface DescriptionJob {
  readonly kind: 'description';
  readonly snapshot: SnapshotDescriptor;
  /** Canonical N-Triples form. */
  readonly node: string;
  /** Canonical media type; left out when no document is wanted. */
  readonly mediaType?: string;
  readonly slot: number;
}

export interface Description {
  /** Both are part of its entity tags, see `DescriptionState`. */
  readonly sequence: number;
  readonly digest: string;
  /** Names of the graphs that hold a triple of it. */
  readonly graphs: readonly string[];
  /** Null when none was wanted, and when it is longer than a chunk: then a `SerializeJob` is to write it. */
  readonly document: Uint8Array | null;
}

/** Writes a graph or a description. Bytes go to `port` as they are made, see `SerializeMessage`. */
export interface SerializeJob {
  readonly kind: 'serialize';
  readonly snapshot: SnapshotDescriptor;
  readonly source: DocumentSource;
  /** Canonical media type (http-api 1.6). */
  readonly mediaType: string;
  /**
   * The worker posts a `SerializeMessage` for each chunk and goes on while fewer than `window` chunks are unanswered; the
   * main thread posts a `SerializeAnswer` for each. The job's result comes after the last chunk.
   */
  readonly port: MessagePort;
  readonly window: number;
  /** Whether it is to run at a low priority of the system, since evaluations come in. */
  readonly standsBack: boolean;
  readonly slot: number;
}

/**
 * A chunk, the first `length` bytes of a memory, which comes with its first chunk. Memory is shared and used again, since
 * what is moved to and fro costs the main thread full garbage collections, and new memory the worker a fifth of its time.
 */
export interface SerializeMessage {
  /** Number of the memory; null for one that serves this chunk only. */
  readonly memory: number | null;
  readonly length: number;
  readonly made?: SharedArrayBuffer;
}

/** What the main thread says of chunks; null when nobody wants more. */
export type SerializeAnswer = {
  /** One more chunk may be sent: the client took one, or there is room to hold it. */
  readonly goOn: boolean;
  /** Number of a memory that may be used again. */
  readonly free?: number;
  /** Number of a memory that is not needed any more. */
  readonly forget?: number;
} | null;

/** Writes the image of a checkpoint (see `store/checkpoint.ts`). */
export interface CheckpointJob {
  readonly kind: 'checkpoint';
  readonly snapshot: SnapshotDescriptor;
  /** Absolute path of the data directory; the file lies in it. */
  readonly directory: string;
  /** What proves that the directory is still this process's; undefined where no proof is needed. */
  readonly lease?: { readonly file: string; readonly id: string } | undefined;
  readonly imageFile: string;
  readonly slot: number;
}

export interface CheckpointOutput {
  readonly image: PieceDigests;
}

export interface FileDigest {
  readonly bytes: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** Digests of a file by pieces, so that several threads can verify it at once. */
export interface PieceDigests {
  /** Size of the file. */
  readonly bytes: number;
  /** Size of each piece but the last. */
  readonly pieceBytes: number;
  /** SHA-256 of each piece, hexadecimal. */
  readonly pieces: readonly string[];
}

/** Makes one run of several of a snapshot's runs. */
export interface CompactJob {
  readonly kind: 'compact';
  readonly compaction: Compaction;
  readonly slot: number;
}

/** Puts the IRIs of a snapshot in order; `previous` saves sorting again what it holds. */
export interface IndexJob {
  readonly kind: 'index';
  readonly snapshot: SnapshotDescriptor;
  readonly previous: IriIndex | null;
  readonly slot: number;
}

/** What each kind of job gives back. */
export interface Outputs {
  evaluate: EvaluateOutput;
  documents: DocumentsOutput;
  bulk: BulkOutput;
  describe: LanguageDescription;
  description: Description;
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
}
