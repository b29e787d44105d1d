import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Load } from '../config.ts';
import { AppError, fromErrorData } from '../errors.ts';
import type { Pool } from '../pool/pool.ts';
import { newIdentity } from '../pool/tasks/map.ts';
import { formats } from '../rdf/media-types/media-types.ts';
import type { StoreClient } from '../store/main/client.ts';
import type { Operation } from '../store/main/transaction.ts';
import { readWholeFile } from './whole-file.ts';

/** Where files are loaded to. */
export interface LoadTarget {
  readonly store: StoreClient;
  readonly pool: Pool;
  /** The graph of triples for which no graph is given. */
  readonly defaultGraph: string;
}

/** How far a file is loaded. */
export interface FileProgress {
  readonly file: string;
  readonly stage: 'reading' | 'parsing' | 'storing' | 'loaded';
  /** Size of the file, 0 until it is read, and how much of it is parsed. */
  readonly bytes: number;
  readonly parsed: number;
}

/** Receives the progress at each new stage, and at this interval in milliseconds. */
export interface LoadObserver {
  readonly everyMs: number;
  notice(progress: FileProgress): void;
}

/**
 * Loads files at start-up (`--load`), each in one transaction. If a graph is given, the file
 * replaces it, so that loading the file again changes nothing. Otherwise its quads are added.
 */
export async function loadFiles(
  loads: readonly Load[],
  target: LoadTarget,
  observer: LoadObserver,
): Promise<void> {
  for (const load of loads) {
    const loading = new FileLoading(load, target, observer);
    await loading.run().catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      throw new AppError('parse-error', `${load.file}: ${message}`, {}, error);
    });
  }
}

class FileLoading {
  readonly #load: Load;
  readonly #target: LoadTarget;
  readonly #observer: LoadObserver;
  readonly #identity = newIdentity();
  #stage: FileProgress['stage'] = 'reading';
  #bytes = 0;

  constructor(load: Load, target: LoadTarget, observer: LoadObserver) {
    this.#load = load;
    this.#target = target;
    this.#observer = observer;
  }

  async run(): Promise<void> {
    const timer = setInterval(() => this.#report(), this.#observer.everyMs);
    try {
      await this.#run();
    } finally {
      clearInterval(timer);
    }
  }

  async #run(): Promise<void> {
    const { file, graph } = this.#load;
    const { store, pool, defaultGraph } = this.#target;
    const mediaType = mediaTypeOf(file);
    this.#enter('reading');
    const body = await readWholeFile(file);
    this.#bytes = body.length;
    this.#enter('parsing');
    const baseIri = graph ?? pathToFileURL(file).href;
    const request = { body, mediaType, gzip: false, baseIri, maxBytes: body.length };
    const parsed = await pool.parse(request, {
      identity: this.#identity,
      group: 'Importer',
      label: 'RDF import',
      detail: { file, format: mediaType },
    });
    if (!parsed.ok) throw located(fromErrorData(parsed.error));
    this.#enter('storing');
    const block = parsed.value;
    const operation: Operation =
      graph === undefined ? { kind: 'load', defaultGraph, block } : { kind: 'replace', graph, block };
    const committed = await store.commit({ preconditions: [], operations: [operation] });
    if (!committed.ok) throw fromErrorData(committed.error);
    this.#enter('loaded');
  }

  #enter(stage: FileProgress['stage']): void {
    this.#stage = stage;
    this.#report();
  }

  #report(): void {
    const parsed = this.#stage === 'parsing' ? this.#parsed() : this.#bytes;
    this.#observer.notice({ file: this.#load.file, stage: this.#stage, bytes: this.#bytes, parsed });
  }

  #parsed(): number {
    const { id } = this.#identity;
    const task = this.#target.pool.tasks(false).find((each) => each.id === id);
    return task && task.totalSteps > 0 ? Math.floor((this.#bytes * task.progress) / task.totalSteps) : 0;
  }
}

/** Returns the media type by the file extension. Error `unsupported-media-type`. */
export function mediaTypeOf(file: string): string {
  const extension = extname(file).slice(1).toLowerCase();
  const format = formats.find((candidate) => candidate.extension === extension);
  if (format) return format.mediaType;
  const known = formats.map((candidate) => `.${candidate.extension}`).join(', ');
  throw new AppError('unsupported-media-type', `the name should end in one of ${known}`);
}

function located(error: AppError): AppError {
  const { line, column } = error.details;
  if (line === undefined) return error;
  return new AppError(
    error.code,
    `line ${line}, column ${column ?? 1}: ${error.message}`,
    error.details,
    error,
  );
}
