/**
 * `pathpool load`: loads files into a data directory that no server uses. Threads parse the files,
 * in parts if each line is a statement. The main thread assigns ids to terms, in the order of the
 * files. At the end the rows are sorted and written as a checkpoint without going through the
 * journal. A file is loaded as a whole or not at all.
 */
import { settings } from '../config.ts';
import { AppError } from '../errors.ts';
import { iriError } from '../rdf/model/iri.ts';
import type { LoadedFile } from '../store/checkpoint/checkpoint.ts';
import type { Part } from './document-parts.ts';
import { OfflineStore } from './offline-store.ts';
import { about, parsedParts } from './parsed-parts.ts';
import { type ParsedPart, Parsers } from './parser-threads.ts';
import { LoadProgress } from './progress-report.ts';
import { isSame, type SourceFile, sourceFile } from './source-file.ts';

/**
 * Rows after which a checkpoint is written, unless the store already contains more: then each
 * checkpoint doubles the store.
 */
const COMMIT_ROWS = 8_000_000;

export interface LoadOptions {
  readonly directory: string;
  readonly files: readonly string[];
  /** The graph of statements that name none; by default the default graph. */
  readonly graph?: string | undefined;
  /** The `@context` of documents that JSON-LD may name, as JSON, by their IRIs. */
  readonly contexts?: Readonly<Record<string, string>>;
  /** Whether to show a bar on standard error. */
  readonly showsProgress: boolean;
  readonly notice: (message: string) => void;
  /** Stops loading; complete files are kept. */
  readonly signal: AbortSignal;
}

/**
 * Loads the files and returns a one-line summary. Errors: `parse-error` with file and position,
 * `cancelled`, those of opening a directory.
 */
export async function load(options: LoadOptions): Promise<string> {
  const { graph, directory, notice } = options;
  const error = graph === undefined ? undefined : iriError(graph);
  if (error !== undefined) throw new AppError('bad-arguments', `--graph: ${error}`);
  // Files are examined before a directory is created.
  for (const file of options.files) await sourceFile(file, '');
  const store = await OfflineStore.open(directory, notice);
  try {
    return await new Loading(store, options).run();
  } finally {
    await store.close();
  }
}

class Loading {
  readonly #store: OfflineStore;
  readonly #options: LoadOptions;
  /** Files that have been added but not yet committed. */
  #complete: LoadedFile[] = [];
  /** The number of the next file in the current commit. */
  #file = 0;
  #inFile = false;

  constructor(store: OfflineStore, options: LoadOptions) {
    this.#store = store;
    this.#options = options;
  }

  async run(): Promise<string> {
    const { files, graph, signal } = this.#options;
    const base = this.#store.base ?? `http://localhost:${settings.port.default}`;
    const all: SourceFile[] = [];
    for (const file of files) all.push(await sourceFile(file, graph ?? `${base}/context/default`));
    const isDone = ({ loaded }: SourceFile) => this.#store.loaded.some((done) => isSame(done, loaded));
    const sources = all.filter((source) => !isDone(source));
    const before = this.#store.quadCount;
    const bytes = sources.reduce((sum, { loaded }) => sum + loaded.bytes, 0);
    const progress = new LoadProgress(bytes, this.#options.showsProgress);
    try {
      await this.#loadAll(sources, progress);
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      progress.end();
    }
    if (signal.aborted) throw cancelled(this.#store.loaded.length, all.length);
    const skipped = all.length - sources.length;
    const more = this.#store.quadCount - before;
    const was = skipped === 0 ? '' : ` (${skipped} of ${all.length} files had been loaded before)`;
    return `${progress.summary()}; ${more.toLocaleString('en')} were new${was}`;
  }

  /** If it fails, the complete files are kept. */
  async #loadAll(sources: readonly SourceFile[], progress: LoadProgress): Promise<void> {
    const parsers = new Parsers(this.#options.contexts ?? {});
    try {
      for await (const [part, parsed] of parsedParts(parsers, sources, this.#options.signal)) {
        await this.#take(part, parsed);
        progress.add(part.read, parsed.block.quads.length / 4);
      }
    } finally {
      await parsers.close();
      if (this.#inFile) this.#store.intake.dropFile();
      if (this.#complete.length > 0) await this.#commit();
    }
  }

  async #take({ source, isLast }: Part, { block }: ParsedPart): Promise<void> {
    const { intake } = this.#store;
    if (!this.#inFile) intake.beginFile(source.loaded.graph, this.#store.blankPrefix(this.#file++));
    this.#inFile = true;
    try {
      intake.take(block);
    } catch (error) {
      throw about(source, error);
    }
    if (!isLast) return;
    this.#inFile = false;
    this.#complete.push(source.loaded);
    if (intake.rows.length > Math.max(COMMIT_ROWS, this.#store.quadCount)) await this.#commit();
  }

  async #commit(): Promise<void> {
    const files = this.#complete;
    this.#complete = [];
    this.#file = 0;
    await this.#store.commit(files);
  }
}

function cancelled(done: number, count: number): AppError {
  const message = `Loading was interrupted: ${done} of ${count} files are loaded. The same command continues with the others.`;
  return new AppError('cancelled', message);
}
