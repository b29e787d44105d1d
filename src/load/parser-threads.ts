import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Result } from '../errors.ts';
import { startWorker } from '../pool/threads/worker-url.ts';
import type { QuadBlock } from '../rdf/model/quad-block.ts';
import type { Part } from './document-parts.ts';

/** Input of a parsing thread. */
export interface ParseMessage {
  /** In shared memory. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly baseIri: string;
  /**
   * Whether blank nodes keep their labels, because other parts of the file may contain them too.
   */
  readonly keepLabels: boolean;
  /** Whether this is the beginning of a file. Only there a byte order mark is allowed. */
  readonly isFirst: boolean;
}

/** What every parsing thread receives at its start. */
export interface ParserData {
  /** The `@context` of documents that JSON-LD may name, as JSON, by their IRIs. */
  readonly contexts: Readonly<Record<string, string>>;
}

/** Output of a parsing thread. */
export interface ParsedPart {
  readonly block: QuadBlock;
  /** Number of lines in the part; counted only if the file has several parts. */
  readonly lines: number;
}

interface Waiting {
  readonly resolve: (result: Result<ParsedPart>) => void;
  readonly reject: (error: unknown) => void;
}

/** The parsing threads. Each one processes its parts in order. */
export class Parsers {
  readonly count = availableParallelism();
  readonly #threads: readonly Thread[];
  #next = 0;

  constructor(contexts: ParserData['contexts']) {
    const data: ParserData = { contexts };
    this.#threads = Array.from({ length: this.count }, () => new Thread(startWorker('load', data)));
  }

  /** Parses a part in the next thread of the rotation. */
  parse({ source, bytes, isFirst }: Part): Promise<Result<ParsedPart>> {
    const { mediaType, isLines, loaded } = source;
    const baseIri = pathToFileURL(loaded.file).href;
    const thread = this.#threads[this.#next++ % this.count]!;
    return thread.parse({ bytes, mediaType, baseIri, keepLabels: isLines, isFirst });
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}

/** A parsing thread. After it has ended, it rejects every part at once. */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #failure: { readonly error: unknown } | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.on('message', (result: Result<ParsedPart>) => this.#waiting.shift()?.resolve(result));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('A parsing thread has ended.')));
  }

  parse(message: ParseMessage): Promise<Result<ParsedPart>> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
