import { parseTerm } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { type NodeObject, nodeObject } from '../evaluate/node-object.ts';

/** A node, perhaps with the beginning of its value alone. */
export interface TracedNode extends NodeObject {
  readonly cut?: true;
}

/** UTF-16 code units of the value of a literal or triple term. */
const MAX_VALUE = 256;

/** The terms of a trace, by their numbers. */
export class NodeTable {
  readonly nodes: TracedNode[] = [];
  readonly #numbers = new Map<TermId, number>();

  /** Returns undefined for a term that it does not have. */
  get(id: TermId): number | undefined {
    return this.#numbers.get(id);
  }

  /** Adds a term that it does not have. */
  add(id: TermId, node: TracedNode): number {
    const number = this.nodes.push(node) - 1;
    this.#numbers.set(id, number);
    return number;
  }
}

/** `text`: canonical N-Triples. */
export function tracedNode(text: string): TracedNode {
  const node = nodeObject(parseTerm(text));
  const { type, value } = node;
  const isLong = (type === 'literal' || type === 'triple') && value.length > MAX_VALUE;
  return isLong ? { ...node, value: beginning(value), cut: true } : node;
}

/** Returns the UTF-16 code units of all its texts. */
export function textLength({ value, lang = '', datatype = '' }: NodeObject): number {
  return value.length + lang.length + datatype.length;
}

function beginning(value: string): string {
  const isHigh = /[\uD800-\uDBFF]/.test(value[MAX_VALUE - 1]!);
  return value.slice(0, isHigh ? MAX_VALUE - 1 : MAX_VALUE);
}
