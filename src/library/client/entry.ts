/**
 * `pathpool/client`: a client of the HTTP interface, for Node.js and browsers. It has no
 * dependencies, and repeats no request but those that follow changes.
 */
import { ChangeCalls } from './change-calls.ts';
import { GraphCalls } from './graph-calls.ts';
import { PathCalls } from './path-calls.ts';
import { ProgramCalls } from './program-calls.ts';
import { ResourceCalls } from './resource-calls.ts';
import { type ClientOptions, Sender } from './sender.ts';
import { SparqlCalls } from './sparql-calls.ts';
import { TaskCalls } from './task-calls.ts';

export type {
  BatchOfList,
  BatchOfSet,
  BatchOptions,
  DeclaredStarts,
  EvaluationOptions,
  InFormat,
  SentDataOptions,
  StartSet,
  StoredBatchOptions,
  TextBatchOptions,
} from './batch-options.ts';
export type { ChangeCounts, Commit, CommitOptions, CommitsOptions, WatchedChange } from './change-calls.ts';
export type { ReachedPosition } from './change-lines.ts';
export { IncompleteBatchError, PathpoolError, type Problem, ResyncError } from './error-response.ts';
export type {
  GraphName,
  Import,
  ListedGraph,
  ListOptions,
  RdfOptions,
  ReadGraphOptions,
} from './graph-calls.ts';
export type { LiveOptions } from './live-events.ts';
export type { CheckOptions, FunctionDescription } from './path-calls.ts';
export type {
  CheckReport,
  Finding,
  Place,
  Trace,
  TracedNode,
  TracedResult,
  TraceEdge,
} from './path-results.ts';
export type {
  ListedProgram,
  ProgramDefinition,
  RemovedResult,
  ResultChange,
  ResultChangesOptions,
  StoredProgram,
  StoredReceipt,
} from './program-calls.ts';
export type { ContentOptions, Creation, DescriptionChange } from './resource-calls.ts';
export type {
  BatchFailure,
  BatchLine,
  BatchLines,
  BatchResult,
  BatchSummary,
  Fields,
  LineFormat,
  NodeObject,
  PlainDocument,
  PlainValue,
  ResultIn,
  ResultOf,
  Selection,
  TextFormat,
} from './result-types.ts';
export type { Body, CallOptions, ClientOptions, Conditions } from './sender.ts';
export type {
  GraphQueryOptions,
  QueryOptions,
  SelectResult,
  SparqlTerm,
  UpdateOptions,
} from './sparql-calls.ts';
export type { TaskListOptions } from './task-calls.ts';
export type {
  FollowTasksOptions,
  GroupChange,
  Task,
  TaskChange,
  TaskName,
  TaskState,
  ThreadChange,
} from './task-types.ts';

/** All calls throw `PathpoolError` for a response that is an error. */
export class PathpoolClient {
  readonly graphs: GraphCalls;
  readonly resources: ResourceCalls;
  readonly ldpath: PathCalls;
  readonly programs: ProgramCalls;
  readonly sparql: SparqlCalls;
  readonly tasks: TaskCalls;
  readonly changes: ChangeCalls;

  /** `base`: the URL of the server, such as `http://localhost:8080`. */
  constructor(base: string | URL, options: ClientOptions = {}) {
    const sender = new Sender(base, options);
    this.graphs = new GraphCalls(sender);
    this.resources = new ResourceCalls(sender);
    this.ldpath = new PathCalls(sender);
    this.programs = new ProgramCalls(sender);
    this.sparql = new SparqlCalls(sender);
    this.tasks = new TaskCalls(sender);
    this.changes = new ChangeCalls(sender);
  }
}
