import type { LdPathError } from '../errors.ts';
import type { EvaluationContext } from '../evaluate/context.ts';

/** Limits on one HTML, XML or JSON document (ldpath 8.4). */
export const MAX_DOCUMENT_CHARACTERS = 1024 * 1024;
const MAX_NODES = 100_000;
/**
 * The HTML parser searches for duplicates, so its time is quadratic in the number of attributes.
 */
const MAX_ATTRIBUTES = 5000;
/** Libraries traverse trees recursively; this depth is safe on the stack of every thread. */
const MAX_DEPTH = 500;
/**
 * The number of visits that are charged at once, and the steps charged for them: visiting a node is
 * cheaper than a look-up in the graph.
 */
const BATCH = 256;
const STEPS_A_BATCH = 32;
/** The number of characters that are read in about the time of a visit. */
const CHARACTERS_A_VISIT = 512;

/**
 * Charges the parsing and reading of documents to the current evaluation of this thread. There is a
 * single meter, because cached documents outlive an evaluation and can't know the next one.
 */
class DocumentMeter {
  #context!: EvaluationContext;
  #nodes = 0;
  #visits = 0;

  begin(context: EvaluationContext): void {
    this.#context = context;
    this.#visits = 0;
  }

  /** @throws LdPathError budget-exceeded */
  beginDocument(text: string): void {
    this.#nodes = 0;
    if (text.length > MAX_DOCUMENT_CHARACTERS) throw this.#tooBig(`${MAX_DOCUMENT_CHARACTERS} characters`);
  }

  /** Counts a node that the parser creates. @throws LdPathError budget-exceeded, time-limit */
  node(): void {
    if (++this.#nodes > MAX_NODES) throw this.#tooBig(`${MAX_NODES} nodes`);
    this.visit();
  }

  /** @throws LdPathError budget-exceeded */
  depth(depth: number): void {
    if (depth > MAX_DEPTH) throw this.#tooBig(`${MAX_DEPTH} levels`);
  }

  /** @throws LdPathError budget-exceeded */
  attributes(count: number): void {
    if (count > MAX_ATTRIBUTES) throw this.#tooBig(`${MAX_ATTRIBUTES} attributes in one element`);
  }

  /** Counts visits to nodes. @throws LdPathError budget-exceeded, time-limit */
  visit(count = 1): void {
    this.#visits += count;
    if (this.#visits < BATCH) return;
    const batches = Math.floor(this.#visits / BATCH);
    this.#visits %= BATCH;
    this.#context.work(batches * STEPS_A_BATCH);
  }

  /** Counts the reading of a text of this length. */
  read(length: number): void {
    if (length >= CHARACTERS_A_VISIT) this.visit(Math.floor(length / CHARACTERS_A_VISIT));
  }

  /** Counts work that is not proportional to nodes; also lets the clock stop a parser. */
  work(steps: number): void {
    this.#context.work(steps);
  }

  exceeded(message: string): LdPathError {
    return this.#context.exceeded(message);
  }

  #tooBig(limit: string): LdPathError {
    return this.exceeded(`A document has more than ${limit}`);
  }
}

export const meter = new DocumentMeter();
