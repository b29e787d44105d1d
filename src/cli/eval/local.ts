import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { fromErrorData } from '../../errors.ts';
import { linesOf } from '../../http/routes/ldpath/batch-lines.ts';
import type { Frame } from '../../ldpath/shapes/result-shape.ts';
import type { Batch, BatchRequest } from '../../pool/batch/batch.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import { Pool } from '../../pool/pool.ts';
import { TextStarts } from '../../services/ldpath/text-starts.ts';
import { readContexts } from '../../startup/context-files.ts';
import { loadFiles } from '../../startup/initial-files.ts';
import { poolOptions } from '../../startup/worker-pool.ts';
import { StoreClient } from '../../store/main/client.ts';
import { LoadingBar } from '../loading-bar.ts';
import { framed } from './framed-documents.ts';
import type { Starts } from './options.ts';
import type { BatchResults, ResultChunk } from './results.ts';
import { readStarts } from './start-file.ts';

/** How the operator learns what happens. */
export interface Reports {
  readonly notice: (message: string) => void;
  /** Whether to show a bar on standard error while files are loaded. */
  readonly showsProgress: boolean;
}

/** Data loaded into memory, and the worker pool that evaluates programs on them. */
export class LocalData {
  readonly #store: StoreClient;
  readonly #pool: Pool;
  readonly #notice: (message: string) => void;

  /** Loads RDF files. Errors: `parse-error`, with file and position. */
  static async load(
    files: readonly string[],
    config: Config,
    base: string,
    { notice, showsProgress }: Reports,
  ): Promise<LocalData> {
    const { journalMax, dataMax } = config;
    const contexts = await readContexts(config.context);
    const store = await StoreClient.open({ directory: null, journalMax, dataMax, recover: false, notice });
    // The pool reserves one worker for single evaluations, so it needs one more than there are
    // cores to keep all cores busy with a batch.
    const threads = availableParallelism() + 1;
    const onInternalError = (error: Error) => notice(error.message);
    const pool = new Pool(poolOptions({ ...config, threads }, store, base, { contexts, onInternalError }));
    const data = new LocalData(store, pool, notice);
    const bar = new LoadingBar(showsProgress);
    try {
      const loads = files.map((file) => ({ file, graph: undefined }));
      await loadFiles(loads, { store, pool, defaultGraph: `${base}/context/default` }, bar);
      return data;
    } catch (error) {
      await data.close();
      throw error;
    } finally {
      bar.end();
    }
  }

  private constructor(store: StoreClient, pool: Pool, notice: (message: string) => void) {
    this.#notice = notice;
    this.#store = store;
    this.#pool = pool;
  }

  /** `frame`: that of the format. */
  async evaluate(selection: Selection, frame: Frame, choice: Starts): Promise<BatchResults> {
    const starts = await this.#starts(choice);
    const batch = this.#pool.batch({ selection, starts, lenient: false, known: () => false, ordered: true });
    if (!batch.ok) throw fromErrorData(batch.error);
    const { total } = batch.value;
    const { format } = selection;
    if (format === undefined || format === 'values') return { total, chunks: linesIn(batch.value) };
    return { total, chunks: framed(frame, documentsIn(batch.value, this.#notice)) };
  }

  async close(): Promise<void> {
    await this.#pool.close(0);
    await this.#store.close();
  }

  async #starts(choice: Starts): Promise<BatchRequest['starts']> {
    if (choice.kind === 'file') return new TextStarts(await readStarts(choice.file));
    const { set } = choice;
    const pages = await this.#pool.startSet({
      set,
      namespaces: {},
      after: null,
      limit: Number.POSITIVE_INFINITY,
    });
    if (!pages.ok) throw fromErrorData(pages.error);
    return pages.value;
  }
}

async function* linesIn(batch: Batch): AsyncGenerator<ResultChunk> {
  for await (const part of batch) {
    // Copied, because the output may buffer the lines for longer than their memory is valid.
    yield { bytes: linesOf(part).slice(), count: part.count, errors: part.errors.length };
  }
}

/** In these formats errors have no place. */
async function* documentsIn(batch: Batch, notice: (message: string) => void): AsyncGenerator<ResultChunk> {
  let left = SHOWN_ERRORS;
  for await (const { bytes, count, errors } of batch) {
    for (const { uri, error } of errors.slice(0, left)) notice(`${uri}: ${error.code}`);
    left -= Math.min(left, errors.length);
    yield { bytes: bytes.slice(), count, errors: errors.length };
  }
}

/** As many as the task of a batch has. */
const SHOWN_ERRORS = 100;
