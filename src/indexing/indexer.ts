import { randomUUID } from 'node:crypto';
import { DocumentBatch } from './document-batch.ts';
import { isGone, type PathpoolSource, type ResultLine } from './pathpool-source.ts';
import { Retry } from './retry.ts';
import type { IndexState } from './run-state.ts';
import { type DocumentChange, type Target, TargetError } from './targets/target.ts';

/** The most failures that are listed for a whole set, and for each request for changes. */
const MOST_NOTICES = 10;

export interface IndexerOptions {
  readonly source: Pick<PathpoolSource, 'wholeSet' | 'changes'>;
  readonly target: Target;
  /** Whether to go on following changes; otherwise it ends when the index is up to date. */
  readonly follows: boolean;
  /** Whether to write the whole set again although there is an index. */
  readonly rebuilds: boolean;
  readonly reports: IndexReports;
  readonly signal: AbortSignal;
}

/** How the operator learns what happens. */
export interface IndexReports {
  readonly notice: (message: string) => void;
  /** The number of resources in the whole set; null if it is not known. */
  readonly total: (count: number | null) => void;
  /** Documents were written or removed. */
  readonly written: (count: number) => void;
  /** The index has the whole set; what follows are changes. */
  readonly complete: () => void;
}

/**
 * Keeps an index equal to the results of a stored program: writes the whole set, and then what
 * changes. All that it must remember is at the target, so it can be ended at any time. What it has
 * written but not recorded it writes again.
 */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #retry = new Retry();
  /** Before the whole set is written again because its position is gone. */
  readonly #restarts = new Retry();
  /** Number of resources whose program failed; they have no document. */
  failures = 0;
  /** The same for the whole set that is being written, or the changes that are being read. */
  #failuresNow = 0;
  /** Whether the whole set is to be written again, and nothing of that has been written yet. */
  #beginsAnew = false;

  constructor(options: IndexerOptions) {
    this.#options = options;
  }

  /** Ends when the index is up to date, or never if it follows. Throws the signal's reason. */
  async run(): Promise<void> {
    const { rebuilds } = this.#options;
    this.#beginsAnew = rebuilds;
    let state = await this.#storedState();
    while (true) {
      this.#options.signal.throwIfAborted();
      try {
        if (!state?.complete) state = await this.#writeWholeSet(state);
        state = await this.#writeChanges(state);
        this.#retry.reset();
        if (!state.complete) {
          await this.#restarts.pause(this.#options.signal);
          continue;
        }
        this.#restarts.reset();
        if (!this.#options.follows) return;
      } catch (error) {
        state = await this.#stateAfter(error);
      }
    }
  }

  /** Returns where to go on after an error; undefined to begin anew. */
  async #stateAfter(error: unknown): Promise<IndexState | undefined> {
    const { signal, reports } = this.#options;
    if (isGone(error)) {
      reports.notice(`${(error as Error).message} Rebuilding the index.`);
      this.#beginsAnew = true;
      await this.#restarts.pause(signal);
    } else {
      await this.#retry.wait(error, signal, reports.notice);
    }
    return this.#storedState();
  }

  /** Returns undefined, too, if the state is that of an index that is to be written again. */
  async #storedState(): Promise<IndexState | undefined> {
    if (this.#beginsAnew) return undefined;
    return this.#retried(() => this.#options.target.readState());
  }

  async #retried<T>(attempt: () => Promise<T>): Promise<T> {
    while (true) {
      try {
        return await attempt();
      } catch (error) {
        await this.#retry.wait(error, this.#options.signal, this.#options.reports.notice);
      }
    }
  }

  async #writeWholeSet(state: IndexState | undefined): Promise<IndexState> {
    const { source, target, reports } = this.#options;
    const run = state?.run ?? randomUUID();
    // A set that is continued is as old as its beginning.
    let position = state?.position;
    let cursor = state?.cursor;
    const batch = new DocumentBatch();
    for await (const { line, size } of source.wholeSet(target.format, state?.cursor)) {
      if ('uri' in line) batch.add(this.#changeOf(line), size);
      else if ('done' in line) return this.#complete(batch, run, position, line.done);
      else if ('position' in line) {
        position ??= line.position;
        reports.total(line.total);
      } else cursor = line.cursor;
      // Not only at cursors: the documents in between may be long.
      if (batch.isLarge && position !== undefined) {
        await this.#write(batch, { run, position, cursor, complete: false });
      }
    }
    throw new Error('The connection ended before the last document');
  }

  /** Writes the last documents of the whole set, and removes those that are not in it. */
  async #complete(
    batch: DocumentBatch,
    run: string,
    position: string | undefined,
    done: boolean,
  ): Promise<IndexState> {
    if (!done) throw new Error('The server cancelled the evaluation');
    if (position === undefined) throw new Error('The server named no position');
    const { target, reports } = this.#options;
    await this.#write(batch, { run, position, complete: false });
    await target.removeOtherRuns(run);
    const state: IndexState = { run, position, complete: true };
    await target.write([], state);
    this.#endFailures();
    reports.complete();
    return state;
  }

  /** Writes the changes that the server has now, or after a while. */
  async #writeChanges(from: IndexState): Promise<IndexState> {
    const { source, target, follows } = this.#options;
    let state = from;
    const batch = new DocumentBatch();
    let isComplete = false;
    for await (const { line, size } of source.changes(target.format, state.position, follows)) {
      if ('resync' in line) {
        this.#beginsAnew = true;
        return { run: randomUUID(), position: line.position, complete: false };
      }
      if ('deleted' in line) batch.add({ uri: line.uri, document: null }, size);
      else if ('uri' in line) batch.add(this.#changeOf(line), size);
      isComplete = !('uri' in line);
      state = { ...state, position: line.position };
      if (batch.isLarge) await this.#write(batch, state);
    }
    if (state.position !== from.position || !batch.isEmpty) await this.#write(batch, state);
    this.#endFailures();
    if (!isComplete) throw new Error('The connection ended before the last change');
    return state;
  }

  async #write(batch: DocumentBatch, state: IndexState): Promise<void> {
    const changes = batch.take();
    await this.#options.target.write(changes, state);
    this.#beginsAnew = false;
    this.#retry.reset();
    this.#options.reports.written(changes.length);
  }

  /** A resource whose program fails has no document. */
  #changeOf(line: ResultLine): DocumentChange {
    const { uri } = line;
    if ('result' in line) {
      requireOwnId(uri, line.result);
      return { uri, document: line.result };
    }
    this.failures++;
    if (++this.#failuresNow <= MOST_NOTICES) {
      this.#options.reports.notice(`${uri} has no document: ${line.error.detail}`);
    }
    return { uri, document: null };
  }

  #endFailures(): void {
    const more = this.#failuresNow - MOST_NOTICES;
    this.#failuresNow = 0;
    if (more > 0) this.#options.reports.notice(`${more} more without a document are not listed.`);
  }
}

/** In an index, the field `id` has the IRI of the resource. */
function requireOwnId(uri: string, document: Readonly<Record<string, unknown>>): void {
  if (!Object.hasOwn(document, 'id') || document['id'] === uri) return;
  throw new TargetError(
    "The program has a field 'id', which an index needs for the IRI: give it another name",
  );
}
