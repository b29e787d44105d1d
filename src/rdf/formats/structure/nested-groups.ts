import { QUAD_WORDS } from '../../model/quad-rows.ts';
import { NO_TERM, type TermId } from '../../model/term-id.ts';
import type { GraphNames } from '../graph-naming.ts';
import type { NestingWriter } from './group-writer.ts';
import type { NestedNodes, Quads } from './nested-nodes.ts';

const NONE = -1;

export interface NestedTarget {
  readonly names: GraphNames;
  readonly writer: NestingWriter;
}

/** What is open at present: a subject, a nested node, or a list. */
interface Frame {
  readonly kind: 'subject' | 'node' | 'list';
  /** The next quad; in a list the next node. */
  next: number;
  /** The quad after the last one. */
  readonly end: number;
  predicate: TermId;
}

/** Drives a writer with quads, and with nested nodes in the places where they are the object. */
export class NestedGroups {
  readonly #quads: Quads;
  readonly #nested: NestedNodes;
  readonly #names: GraphNames;
  readonly #writer: NestingWriter;
  /** What is open last, and what is open around it. */
  #frame: Frame | undefined;
  readonly #around: (Frame | undefined)[] = [];
  /** The quads and the blank nodes that are done as subjects of their own. */
  #done = 0;
  #blankDone = 0;
  #graph = NONE;

  constructor(quads: Quads, nested: NestedNodes, { names, writer }: NestedTarget) {
    this.#quads = quads;
    this.#nested = nested;
    this.#names = names;
    this.#writer = writer;
  }

  /** Writes quads until the output is full; returns false after the last one. */
  next(): boolean {
    const { output } = this.#writer;
    for (;;) {
      const frame = this.#frame;
      if (frame === undefined) {
        if (!this.#openSubject()) return false;
      } else if (frame.kind === 'list') {
        this.#item(frame);
        if (output.full) return true;
      } else if (frame.next < frame.end) {
        this.#quad(frame);
        if (output.full) return true;
      } else {
        this.#close(frame);
      }
    }
  }

  #openSubject(): boolean {
    const { words, count } = this.#quads;
    this.#passNested();
    const start = this.#done;
    if (start >= count) {
      this.#closeGraph();
      return false;
    }
    const at = start * QUAD_WORDS;
    const graph = this.#names.key(words[at + 3]!);
    let end = start + 1;
    while (end < count && this.#isSameSubject(start, end)) end++;
    this.#done = end;
    if (graph !== this.#graph) {
      this.#closeGraph();
      this.#graph = graph;
      this.#writer.openGraph(this.#names.name(graph));
    }
    this.#writer.openSubject(words[at]!);
    this.#open({ kind: 'subject', next: start, end, predicate: NO_TERM });
    return true;
  }

  /** Moves past the nodes that are written elsewhere. */
  #passNested(): void {
    const { starts, ends, isNested } = this.#nested;
    while (starts[this.#blankDone] === this.#done) {
      const node = this.#blankDone++;
      if (isNested[node] === 0) return;
      this.#done = ends[node]!;
    }
  }

  #isSameSubject(one: number, other: number): boolean {
    const { words } = this.#quads;
    return (
      words[one * QUAD_WORDS] === words[other * QUAD_WORDS] &&
      words[one * QUAD_WORDS + 3] === words[other * QUAD_WORDS + 3]
    );
  }

  #quad(frame: Frame): void {
    const { words } = this.#quads;
    const quad = frame.next++;
    const predicate = words[quad * QUAD_WORDS + 1]!;
    if (predicate !== frame.predicate) {
      if (frame.predicate !== NO_TERM) this.#writer.closePredicate();
      frame.predicate = predicate;
      const isSingle = frame.next === frame.end || words[frame.next * QUAD_WORDS + 1] !== predicate;
      this.#writer.openPredicate(predicate, isSingle);
    }
    this.#object(quad);
  }

  #object(quad: number): void {
    const { starts, ends, children, isList } = this.#nested;
    const node = children[quad]!;
    if (node === NONE) {
      this.#writer.object(this.#quads.words[quad * QUAD_WORDS + 2]!);
    } else if (isList[node] === 1) {
      this.#writer.openList();
      this.#open({ kind: 'list', next: node, end: NONE, predicate: NO_TERM });
    } else {
      const [next, end] = [starts[node]!, ends[node]!];
      this.#writer.openNode(end - next);
      this.#open({ kind: 'node', next, end, predicate: NO_TERM });
    }
  }

  #item(frame: Frame): void {
    const node = frame.next;
    if (node === NONE) {
      this.#frame = this.#around.pop();
      this.#writer.closeList();
      return;
    }
    frame.next = this.#nested.nextOf(node);
    this.#object(this.#nested.itemOf(node));
  }

  #close(frame: Frame): void {
    this.#frame = this.#around.pop();
    this.#writer.closePredicate();
    if (frame.kind === 'node') this.#writer.closeNode();
    else this.#writer.closeSubject();
  }

  #open(frame: Frame): void {
    this.#around.push(this.#frame);
    this.#frame = frame;
  }

  #closeGraph(): void {
    if (this.#graph !== NONE) this.#writer.closeGraph();
  }
}
