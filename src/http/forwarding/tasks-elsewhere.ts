import type { IncomingMessage } from 'node:http';
import { AppError, type ErrorData, errorData, toErrorData } from '../../errors.ts';
import type { TaskMap } from '../../pool/tasks/map.ts';
import { notHere, type Peers } from '../middleware/peers.ts';
import { problemResponse, statusOfCode } from '../problem.ts';
import type { HttpRequest, HttpResponse } from '../server/message.ts';
import type { ClusterView, PeerAddress } from './cluster-view.ts';
import { requestFields } from './passed-fields.ts';
import { type OutgoingRequest, type PeerClient, PeerFailure } from './peer-client.ts';
import { passedResponse } from './peer-response.ts';

/** Tasks by group or by thread. */
export type TaskLists = Readonly<Record<string, readonly Pick<TaskMap, 'user'>[]>>;

/** What the other processes have answered. */
export interface GatheredTasks {
  readonly lists: readonly TaskLists[];
  /** The names of processes that have not answered in time. */
  readonly unreachable: readonly string[];
}

/** How long a process may take for its list. */
const LIMIT_MS = 500;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const OK = 200;

/** Asks the other processes of the cluster for their tasks. */
export class TasksElsewhere {
  readonly #cluster: ClusterView;
  readonly #client: Pick<PeerClient, 'send'>;
  readonly #peers: Peers;
  readonly #own: string;

  /** `own`: the name of this process. */
  constructor(cluster: ClusterView, client: Pick<PeerClient, 'send'>, peers: Peers, own: string) {
    this.#cluster = cluster;
    this.#client = client;
    this.#peers = peers;
    this.#own = own;
  }

  /** Whether another process asks, which wants the tasks of this one only. */
  isAsked(request: HttpRequest): boolean {
    return this.#peers.trusts(request);
  }

  /** Sends a request for a list of tasks to all other processes. */
  async gather(request: HttpRequest): Promise<GatheredTasks> {
    const others = this.#cluster.members.filter(({ process }) => process !== this.#own);
    const answers = await Promise.all(others.map((each) => this.#listOf(each, request)));
    const lists = answers.filter((answer) => answer !== undefined);
    const unreachable = others.filter((_, i) => answers[i] === undefined).map(({ process }) => process);
    return { lists, unreachable };
  }

  /** Has another process execute a request for one of its tasks; undefined if it is no member. */
  execute(request: HttpRequest, process: string): Promise<HttpResponse> | undefined {
    if (process === this.#own) return undefined;
    const member = this.#cluster.members.find((each) => each.process === process);
    return member && this.#execute(member, request);
  }

  async #execute(member: PeerAddress, request: HttpRequest): Promise<HttpResponse> {
    const fields = requestFields(request.headers, this.#peers.fieldsFor(request));
    const { method, target } = request;
    const onAbort = (cancel: () => void) => request.onAbort(cancel);
    try {
      const incoming = await this.#client.send(member, {
        ...{ method, target, fields, onAbort },
        body: () => undefined,
      });
      if (incoming.statusCode !== statusOfCode(notHere.code)) return await passedResponse(incoming, request);
      incoming.resume();
      return problemResponse(unavailable(`The process ${member.process} is starting or stopping.`), request);
    } catch (error) {
      return problemResponse(failureOf(error, member), request);
    }
  }

  async #listOf(member: PeerAddress, request: HttpRequest): Promise<TaskLists | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (cancel: () => void) => {
      timer = setTimeout(cancel, LIMIT_MS);
    };
    const { target } = request;
    const fields = [
      ...['host', request.header('host') ?? '', 'accept', 'application/json'],
      ...fieldOf(request, 'authorization'),
      ...this.#peers.fieldsFor(request),
    ];
    const outgoing: OutgoingRequest = { method: 'GET', target, fields, onAbort, body: () => undefined };
    try {
      return await listIn(await this.#client.send(member, outgoing));
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }
}

function failureOf(error: unknown, { process }: PeerAddress): ErrorData {
  if (error instanceof AppError) return toErrorData(error);
  const isUnsent = error instanceof PeerFailure && error.progress === 'unsent';
  if (isUnsent) return unavailable(`The process ${process} can't be reached.`);
  const reason = (error as Error).message;
  return errorData('outcome-unknown', `The connection to the process ${process} broke off (${reason}).`);
}

function unavailable(message: string): ErrorData {
  return errorData('unavailable', message, { retryAfter: 1 });
}

async function listIn(response: IncomingMessage): Promise<TaskLists> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_LIST_BYTES) throw new AppError('too-large', 'The list of tasks is too long.');
    chunks.push(chunk);
  }
  if (response.statusCode !== OK) throw new AppError('internal', `The status is ${response.statusCode}.`);
  return JSON.parse(Buffer.concat(chunks).toString()) as TaskLists;
}

function fieldOf(request: HttpRequest, name: string): readonly string[] {
  const value = request.header(name);
  return value === undefined ? [] : [name, value];
}
