import type { QuadCursor } from '../model/quad-cursor.ts';
import type { TermId } from '../model/term-id.ts';
import type { ChunkWriter } from './chunk-writer.ts';
import type { GraphNames } from './graph-naming.ts';

/** A format with nested output: graphs, in them subjects, predicates and objects. */
export interface GroupWriter {
  readonly output: ChunkWriter;
  begin(): void;
  /** `name`: canonical form, empty if no graph is named. */
  openGraph(name: Uint8Array): void;
  openSubject(subject: TermId): void;
  openPredicate(predicate: TermId): void;
  object(object: TermId): void;
  closePredicate(): void;
  closeSubject(): void;
  closeGraph(): void;
  end(): void;
  /** Called when the output up to here has been passed on. */
  flushed(): void;
}

const NONE = -1;

/** Drives a writer with the quads of a cursor, in which those of a group must be consecutive. */
export function* serializeGroups(
  cursor: QuadCursor,
  names: GraphNames,
  writer: GroupWriter,
): Generator<Uint8Array> {
  const groups = new Groups(cursor, names, writer);
  writer.begin();
  while (cursor.next()) {
    groups.next();
    if (writer.output.full) {
      yield writer.output.take();
      writer.flushed();
    }
  }
  groups.closeGraph();
  writer.end();
  yield writer.output.take();
}

/** Opens and closes groups as the quads require. */
class Groups {
  readonly #cursor: QuadCursor;
  readonly #names: GraphNames;
  readonly #writer: GroupWriter;
  #graph = NONE;
  #subject = NONE;
  #predicate = NONE;

  constructor(cursor: QuadCursor, names: GraphNames, writer: GroupWriter) {
    this.#cursor = cursor;
    this.#names = names;
    this.#writer = writer;
  }

  next(): void {
    const { subject, predicate, object } = this.#cursor;
    if (this.#names.key !== this.#graph) this.#openGraph();
    if (subject !== this.#subject) this.#openSubject(subject);
    if (predicate !== this.#predicate) this.#openPredicate(predicate);
    this.#writer.object(object);
  }

  closeGraph(): void {
    this.#closeSubject();
    if (this.#graph !== NONE) this.#writer.closeGraph();
  }

  #openGraph(): void {
    this.closeGraph();
    this.#graph = this.#names.key;
    this.#writer.openGraph(this.#names.current);
  }

  #openSubject(subject: TermId): void {
    this.#closeSubject();
    this.#subject = subject;
    this.#writer.openSubject(subject);
  }

  #closeSubject(): void {
    this.#closePredicate();
    if (this.#subject !== NONE) this.#writer.closeSubject();
    this.#subject = NONE;
  }

  #openPredicate(predicate: TermId): void {
    this.#closePredicate();
    this.#predicate = predicate;
    this.#writer.openPredicate(predicate);
  }

  #closePredicate(): void {
    if (this.#predicate !== NONE) this.#writer.closePredicate();
    this.#predicate = NONE;
  }
}
