import { availableParallelism } from 'node:os';
import { pathToFileURL } from 'node:url';
import type { Worker } from 'node:worker_threads';
import type { Result } from '../errors.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import { startWorker } from '../pool/worker-url.ts';
import type { Part } from './parts.ts';

/** What a parsing thread is given. */
export interface ParseMessage {
  /** In shared memory. */
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly baseIri: string;
  /** Blank nodes keep their labels, which other parts have too. */
  readonly keepLabels: boolean;
  /** Whether a file begins with it. Only there may a byte order mark stand. */
  readonly isFirst: boolean;
}

/** What it gives back. */
export interface ParsedPart {
  readonly block: QuadBlock;
  /** Lines in the part; counted where it is one of several. */
  readonly lines: number;
}

interface Waiting {
  readonly resolve: (result: Result<ParsedPart>) => void;
  readonly reject: (error: unknown) => void;
}

/** Threads that parse; each works through what it was given in order. */
export class Parsers {
  readonly count = availableParallelism();
  readonly #threads: readonly Thread[];
  #next = 0;

  constructor() {
    this.#threads = Array.from({ length: this.count }, () => new Thread());
  }

  /** Parses by the next thread in turn. */
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

/** A thread that parses. What it is given once it has ended is refused at once. */
export class Thread {
  readonly #worker: Worker;
  readonly #waiting: Waiting[] = [];
  #fault: { readonly error: unknown } | undefined;

  constructor(worker = startWorker('load', null)) {
    this.#worker = worker;
    this.#worker.on('message', (result: Result<ParsedPart>) => this.#waiting.shift()?.resolve(result));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#worker.on('exit', () => this.#fail(new Error('A parsing thread has ended.')));
  }

  parse(message: ParseMessage): Promise<Result<ParsedPart>> {
    if (this.#fault) return Promise.reject(this.#fault.error);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #fail(error: unknown): void {
    this.#fault ??= { error };
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
