import { type IndexState, parseState, stateText, UNREADABLE } from '../run-state.ts';
import type { SearchServer } from './search-server.ts';
import { type DocumentChange, sendInPieces, type Target, TargetError } from './target.ts';

/** Fields of every document; in the default schema, names that end in `_s` are strings. */
const PROGRAM = 'pathpool_program_s';
const RUN = 'pathpool_run_s';
/** A field of the document that keeps the state, beside the documents of resources. */
const STATE = 'pathpool_state_s';

/** A core or collection of Apache Solr, whose unique key is `id`. */
export class SolrTarget implements Target {
  readonly format = 'solr-documents';
  readonly name: string;
  readonly #server: SearchServer;
  readonly #program: string;

  constructor(server: SearchServer, url: string, program: string) {
    this.#server = server;
    this.name = url;
    this.#program = program;
  }

  async readState(): Promise<IndexState | undefined> {
    // The real-time get also sees what has not been committed yet.
    const query = new URLSearchParams({ id: this.#stateId, fl: `id,${STATE}`, wt: 'json' });
    const found = await this.#server.send('GET', `/get?${query}`);
    const document = found?.['doc'] as Readonly<Record<string, unknown>> | null | undefined;
    if (!document) return undefined;
    const text = [document[STATE]].flat()[0];
    const state = typeof text === 'string' ? parseState(text) : undefined;
    if (state) return state;
    throw new TargetError(`The document ${this.#stateId} has no readable field ${STATE}. ${UNREADABLE}.`);
  }

  /** Solr applies the commands in their order, and logs them durably before it answers. */
  async write(changes: readonly DocumentChange[], state: IndexState): Promise<void> {
    const marks = { [PROGRAM]: this.#program, [RUN]: state.run };
    const last = `"add":${JSON.stringify({ doc: { id: this.#stateId, [STATE]: stateText(state) } })}`;
    await sendInPieces(changes, async (some) => {
      const commands = some.map(({ uri, document }) =>
        document === null
          ? `"delete":${JSON.stringify({ id: uri })}`
          : `"add":${JSON.stringify({ doc: { ...document, id: uri, ...marks } })}`,
      );
      if (some.at(-1) === changes.at(-1)) commands.push(last);
      await this.#server.send('POST', '/update?commitWithin=1000', { body: `{${commands.join(',')}}` });
    });
  }

  async removeOtherRuns(run: string): Promise<void> {
    const query = `${PROGRAM}:${quoted(this.#program)} AND -${RUN}:${quoted(run)}`;
    await this.#server.send('POST', '/update?commit=true', { body: JSON.stringify({ delete: { query } }) });
  }

  get #stateId(): string {
    return `pathpool:state:${this.#program}`;
  }
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
