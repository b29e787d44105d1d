import type { QuadCursor } from '../../model/quad-cursor.ts';
import { QUAD_WORDS } from '../../model/quad-rows.ts';
import type { GraphNames } from '../graph-naming.ts';
import type { GroupWriter, NestingWriter } from './group-writer.ts';
import { NestedGroups } from './nested-groups.ts';
import { findBlankSubjects, NestedNodes } from './nested-nodes.ts';
import { QuadWindow } from './quad-window.ts';

/**
 * In larger documents all blank nodes have labels: which of them can be nested is known only when
 * all quads have been read. So a document takes less than 10 MiB besides its output.
 */
export const MAX_NESTED_QUADS = 65_536;

/** Drives a writer with the quads of a cursor, in which those of a group must be consecutive. */
export function* serializeGroups(
  cursor: QuadCursor,
  names: GraphNames,
  writer: GroupWriter,
): Generator<Uint8Array> {
  yield* written(new QuadWindow(cursor), names, writer);
}

/** The same for a format that can nest blank nodes. */
export function* serializeNested(
  cursor: QuadCursor,
  names: GraphNames,
  writer: NestingWriter,
): Generator<Uint8Array> {
  const window = new QuadWindow(cursor, MAX_NESTED_QUADS);
  const { words, end, terms } = window;
  const quads = { words, terms, count: end / QUAD_WORDS };
  const blank = window.isWhole ? findBlankSubjects(quads) : undefined;
  if (blank === undefined) {
    yield* written(window, names, writer);
    return;
  }
  const nested = new NestedNodes(quads, blank, writer.nests);
  const groups = new NestedGroups(quads, nested, { names, writer });
  writer.begin();
  while (groups.next()) {
    if (writer.output.full) {
      yield writer.output.take();
      writer.flushed();
    }
  }
  writer.end();
  if (writer.output.length > 0) yield writer.output.take();
}

function* written(window: QuadWindow, names: GraphNames, writer: GroupWriter): Generator<Uint8Array> {
  const groups = new Groups(window, names, writer);
  writer.begin();
  while (window.next()) {
    groups.next();
    if (writer.output.full) {
      yield writer.output.take();
      writer.flushed();
    }
  }
  groups.closeGraph();
  writer.end();
  if (writer.output.length > 0) yield writer.output.take();
}

const NONE = -1;

/** Opens and closes groups as the quads require. */
class Groups {
  readonly #window: QuadWindow;
  readonly #names: GraphNames;
  readonly #writer: GroupWriter;
  #graph = NONE;
  #subject = NONE;
  #predicate = NONE;

  constructor(window: QuadWindow, names: GraphNames, writer: GroupWriter) {
    this.#window = window;
    this.#names = names;
    this.#writer = writer;
  }

  /** Writes the current quad of the window. */
  next(): void {
    const { words, at } = this.#window;
    const graph = this.#names.key(words[at + 3]!);
    if (graph !== this.#graph) this.#openGraph(graph);
    if (words[at] !== this.#subject) this.#openSubject(words[at]!);
    if (words[at + 1] !== this.#predicate) this.#openPredicate(words[at + 1]!);
    this.#writer.object(words[at + 2]!);
  }

  closeGraph(): void {
    this.#closeSubject();
    if (this.#graph !== NONE) this.#writer.closeGraph();
  }

  #openGraph(graph: number): void {
    this.closeGraph();
    this.#graph = graph;
    this.#writer.openGraph(this.#names.name(graph));
  }

  #openSubject(subject: number): void {
    this.#closeSubject();
    this.#subject = subject;
    this.#writer.openSubject(subject);
  }

  #closeSubject(): void {
    this.#closePredicate();
    if (this.#subject !== NONE) this.#writer.closeSubject();
    this.#subject = NONE;
  }

  #openPredicate(predicate: number): void {
    this.#closePredicate();
    this.#predicate = predicate;
    this.#writer.openPredicate(predicate, this.#isSingle());
  }

  #closePredicate(): void {
    if (this.#predicate !== NONE) this.#writer.closePredicate();
    this.#predicate = NONE;
  }

  /** Whether the next quad has another subject, predicate or graph. */
  #isSingle(): boolean {
    const { words, at, end } = this.#window;
    const next = at + QUAD_WORDS;
    return (
      next >= end ||
      words[next + 1] !== words[at + 1] ||
      words[next] !== words[at] ||
      this.#names.key(words[next + 3]!) !== this.#graph
    );
  }
}
