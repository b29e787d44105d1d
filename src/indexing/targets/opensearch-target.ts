import { createHash } from 'node:crypto';
import { type IndexState, parseState, stateText, UNREADABLE } from '../run-state.ts';
import type { SearchServer } from './search-server.ts';
import { type DocumentChange, sendInPieces, type Target, TargetError } from './target.ts';

/** Fields of every document, of the type `keyword`. */
const PROGRAM = 'pathpool_program';
const RUN = 'pathpool_run';
/** The member of the mapping's `_meta` that has the state of each program. */
const STATES = 'pathpool';
/** OpenSearch and Elasticsearch accept ids up to this length, in bytes. */
const MAX_ID = 512;
const NDJSON = 'application/x-ndjson';
const DELETE_BY_QUERY = '/_delete_by_query?conflicts=proceed&refresh=true';
/** How often the documents of earlier runs are removed, if some of them remain. */
const REMOVALS = 5;

type States = Readonly<Record<string, string>>;

/** An index of OpenSearch or Elasticsearch. It is created if it does not exist. */
export class OpenSearchTarget implements Target {
  readonly format = 'bulk-documents';
  readonly name: string;
  readonly #server: SearchServer;
  readonly #program: string;

  constructor(server: SearchServer, url: string, program: string) {
    this.#server = server;
    this.name = url;
    this.#program = program;
  }

  async readState(): Promise<IndexState | undefined> {
    const text = (await this.#states())?.[this.#program];
    if (text === undefined) return undefined;
    const state = parseState(text);
    if (state) return state;
    throw new TargetError(
      `The mapping of ${this.name} has no readable state in _meta.${STATES}. ${UNREADABLE}.`,
    );
  }

  /** Answers when the documents are durable, which is the default of an index. */
  async write(changes: readonly DocumentChange[], state: IndexState): Promise<void> {
    const states = (await this.#states()) ?? (await this.#createIndex());
    const marks = { [PROGRAM]: this.#program, [RUN]: state.run };
    if (changes.length > 0) await sendInPieces(changes, (some) => this.#bulk(some, marks));
    // Another program may write its state between these requests, and lose it. It then goes on with
    // an earlier one, which is right as well.
    const meta = { [STATES]: { ...states, [this.#program]: stateText(state) } };
    await this.#server.send('PUT', '/_mapping', { body: JSON.stringify({ _meta: meta }) });
  }

  async removeOtherRuns(run: string): Promise<void> {
    // Documents are found by a search, so the index must show what was written.
    await this.#server.send('POST', '/_refresh');
    const query = {
      bool: { must: [{ term: { [PROGRAM]: this.#program } }], must_not: [{ term: { [RUN]: run } }] },
    };
    const body = JSON.stringify({ query });
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#server.send('POST', DELETE_BY_QUERY, { body });
      const obstacle = obstacleIn((answer ?? {}) as Removal);
      if (obstacle === undefined) return;
      if (attempt === REMOVALS) throw new Error(`Documents of earlier runs remain: ${obstacle}`);
    }
  }

  async #bulk(changes: readonly DocumentChange[], marks: object): Promise<void> {
    const lines = changes.flatMap(({ uri, document }): object[] => {
      if (document === null) return [{ delete: { _id: idOf(uri) } }];
      return [{ index: { _id: idOf(uri) } }, { ...document, id: uri, ...marks }];
    });
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    requireStored(await this.#server.send('POST', '/_bulk', { body, type: NDJSON }));
  }

  async #createIndex(): Promise<States> {
    const keyword = { type: 'keyword' };
    const mappings = { properties: { [PROGRAM]: keyword, [RUN]: keyword, id: keyword } };
    // 400: another process has created it meanwhile.
    await this.#server.send('PUT', '', { body: JSON.stringify({ mappings }), expected: [400] });
    return {};
  }

  /** Returns undefined if there is no such index. */
  async #states(): Promise<States | undefined> {
    const found = await this.#server.send('GET', '/_mapping', { expected: [404] });
    if (!found) return undefined;
    const [index] = Object.values(found) as { mappings?: { _meta?: Record<string, States> } }[];
    return index?.mappings?._meta?.[STATES] ?? {};
  }
}

function idOf(uri: string): string {
  if (Buffer.byteLength(uri) <= MAX_ID) return uri;
  return `sha256:${createHash('sha256').update(uri).digest('hex')}`;
}

interface BulkItem {
  readonly status: number;
  readonly _id: string;
  readonly error?: { readonly reason?: string };
}

/** Throws for the first document that was not stored. */
function requireStored(answer: Readonly<Record<string, unknown>> | undefined): void {
  if (!answer?.['errors']) return;
  for (const item of answer['items'] as Readonly<Record<string, BulkItem>>[]) {
    const [outcome] = Object.values(item);
    if (!outcome || outcome.status < 400 || outcome.status === 404) continue;
    const message = `${outcome._id}: ${outcome.status} ${outcome.error?.reason ?? ''}`;
    // The queue of the server is full.
    if (outcome.status === 429 || outcome.status >= 500) throw new Error(message);
    throw new TargetError(`The document can't be stored: ${message}`);
  }
}

/** The answer of `_delete_by_query`. */
interface Removal {
  readonly timed_out?: boolean;
  /** Documents that were written meanwhile. */
  readonly version_conflicts?: number;
  readonly failures?: readonly { readonly cause?: { readonly reason?: string } }[];
}

/** Returns why not all documents were removed; undefined if they were. */
function obstacleIn({ timed_out, version_conflicts = 0, failures = [] }: Removal): string | undefined {
  const [first] = failures;
  if (first) return `${failures.length} failures, first ${first.cause?.reason ?? JSON.stringify(first)}`;
  if (timed_out) return 'the request took too long';
  return version_conflicts > 0 ? `${version_conflicts} documents were written meanwhile` : undefined;
}
