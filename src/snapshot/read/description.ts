import { createHash } from 'node:crypto';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from './reader.ts';

const UNDERSCORE = 0x5f;
const DIGEST_BYTES = 16;

/**
 * The description of one resource in all visible graphs: the quads with it as subject and,
 * recursively, those whose subject is a blank node reached as object (http-api R-50). They are
 * ordered by subject; a triple that is in two graphs occurs twice.
 */
export class DescriptionQuads implements QuadCursor {
  readonly terms: TermBytes;
  readonly #reader: SnapshotReader;
  readonly #subjects: TermId[];
  readonly #seen: Set<TermId>;
  #next = 0;
  #quads: QuadCursor;

  constructor(reader: SnapshotReader, resource: TermId) {
    this.terms = reader.terms;
    this.#reader = reader;
    this.#subjects = resource === NO_TERM ? [] : [resource];
    this.#seen = new Set(this.#subjects);
    this.#quads = reader.subjectCursor(NO_TERM);
  }

  get subject(): TermId {
    return this.#quads.subject;
  }

  get predicate(): TermId {
    return this.#quads.predicate;
  }

  get object(): TermId {
    return this.#quads.object;
  }

  get graph(): TermId {
    return this.#quads.graph;
  }

  next(): boolean {
    while (!this.#quads.next()) {
      if (this.#next === this.#subjects.length) return false;
      this.#quads = this.#reader.subjectCursor(this.#subjects[this.#next++]!);
    }
    const { object } = this;
    if (isBlank(this.terms, object) && !this.#seen.has(object)) {
      this.#seen.add(object);
      this.#subjects.push(object);
    }
    return true;
  }
}

/** The same as triples, each once; `graph` is not set. */
export class DescriptionCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly graph = NO_TERM;
  subject = NO_TERM;
  predicate = NO_TERM;
  object = NO_TERM;
  /** Graphs that contain one of the triples visited so far. */
  readonly graphs = new Set<TermId>();
  readonly #quads: DescriptionQuads;

  constructor(reader: SnapshotReader, resource: TermId) {
    this.terms = reader.terms;
    this.#quads = new DescriptionQuads(reader, resource);
  }

  next(): boolean {
    const quads = this.#quads;
    while (quads.next()) {
      this.graphs.add(quads.graph);
      const { subject, predicate, object } = quads;
      if (object === this.object && predicate === this.predicate && subject === this.subject) continue;
      this.subject = subject;
      this.predicate = predicate;
      this.object = object;
      return true;
    }
    return false;
  }
}

/**
 * Returns a digest of a cursor's triples that is independent of their order: 32 hexadecimal digits.
 */
export function tripleDigest(cursor: QuadCursor, text: (id: TermId) => string): string {
  const sum = new Uint8Array(DIGEST_BYTES);
  while (cursor.next()) {
    const triple = `${text(cursor.subject)} ${text(cursor.predicate)} ${text(cursor.object)}`;
    const digest = createHash('sha256').update(triple).digest();
    for (let i = 0; i < DIGEST_BYTES; i++) sum[i]! ^= digest[i]!;
  }
  return Buffer.from(sum).toString('hex');
}

/** Whether a term is a blank node. */
export function isBlank(terms: TermBytes, id: TermId): boolean {
  return terms.bytes[terms.start(id)] === UNDERSCORE;
}
