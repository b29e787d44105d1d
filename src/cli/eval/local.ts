import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import { fromErrorData } from '../../errors.ts';
import { linesOf } from '../../http/routes/ldpath/batch-lines.ts';
import type { Batch, BatchRequest } from '../../pool/batch/batch.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import { Pool } from '../../pool/pool.ts';
import { TextStarts } from '../../services/ldpath/text-starts.ts';
import { readContexts } from '../../startup/context-files.ts';
import { loadFiles } from '../../startup/initial-files.ts';
import { poolOptions } from '../../startup/worker-pool.ts';
import { StoreClient } from '../../store/main/client.ts';
import { LoadingBar } from '../loading-bar.ts';
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
    const data = new LocalData(store, pool);
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

  private constructor(store: StoreClient, pool: Pool) {
    this.#store = store;
    this.#pool = pool;
  }

  async evaluate(selection: Selection, choice: Starts): Promise<BatchResults> {
    const starts = await this.#starts(choice);
    const batch = this.#pool.batch({ selection, starts, lenient: false, known: () => false, ordered: true });
    if (!batch.ok) throw fromErrorData(batch.error);
    return { total: batch.value.total, chunks: chunksOf(batch.value) };
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

async function* chunksOf(batch: Batch): AsyncGenerator<ResultChunk> {
  for await (const part of batch) {
    // Copied, because the output may buffer the lines for longer than their memory is valid.
    yield { bytes: linesOf(part).slice(), count: part.count, errors: part.errors.length };
  }
}
