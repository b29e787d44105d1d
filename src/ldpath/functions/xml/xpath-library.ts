/**
 * The XPath 1.0 library, with two repairs: its axes `following` and `preceding` return wrong nodes
 * (including descendants and ancestors of the context node), and its node sets take quadratic time
 * to build. Its own types refer to the DOM of browsers; these are the parts used here.
 */
import { lazyLibrary } from '../lazy-library.ts';
import type { XmlNode } from './node.ts';

export interface NodeSet {
  /** In document order. */
  toArray(): XmlNode[];
}

export interface XPathValue {
  stringValue(): string;
}

export interface XPathExpression {
  evaluate(options: {
    readonly node: XmlNode;
    readonly namespaces: { getNamespace(prefix: string): string };
    readonly functions: (
      name: string,
      namespace: string,
    ) => ((context: object, ...args: readonly XPathValue[]) => string | boolean) | undefined;
  }): XPathValue;
}

interface Step {
  readonly axis: number;
  readonly nodeTest: { matches(node: XmlNode, context: object): boolean };
}

type ApplyStep = (step: Step, context: { contextNode: XmlNode }, node: XmlNode) => XmlNode[];

interface WritableNodeSet extends NodeSet {
  nodes: XmlNode[];
  size: number;
  tree: unknown;
}

interface XPathLibrary {
  readonly parse: (expression: string) => XPathExpression;
  readonly XNodeSet: { new (): NodeSet; readonly prototype: { addArray(nodes: readonly XmlNode[]): void } };
  readonly XBoolean: new (value: boolean) => { readonly b: boolean };
  readonly XNumber: new (value: number) => { readonly num: number };
  readonly PathExpr: { applyStep: ApplyStep };
  readonly Step: { readonly FOLLOWING: number; readonly PRECEDING: number };
}

const load = lazyLibrary<XPathLibrary>('xpath');

let isRepaired = false;

export function xpathLibrary(): XPathLibrary {
  const library = load();
  if (!isRepaired) repair(library);
  isRepaired = true;
  return library;
}

function repair({ XNodeSet, PathExpr, Step }: XPathLibrary): void {
  XNodeSet.prototype.addArray = function (this: WritableNodeSet, nodes: readonly XmlNode[]): void {
    this.nodes = [...new Set([...this.nodes, ...nodes])];
    this.size = this.nodes.length;
    this.tree = null;
  };
  const { applyStep } = PathExpr;
  PathExpr.applyStep = (step, context, node) => {
    if (step.axis !== Step.FOLLOWING && step.axis !== Step.PRECEDING) return applyStep(step, context, node);
    context.contextNode = node;
    const found = step.axis === Step.FOLLOWING ? following(node) : preceding(node);
    return found.filter((one) => step.nodeTest.matches(one, context));
  };
}

/** Returns the nodes after a node that are not inside it, in document order. */
function following(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = [];
  if (node.ownerElement !== null) pushBelow(node.ownerElement, found);
  for (let at = node.ownerElement ?? node; at.parent !== null; at = at.parent) {
    for (let next = at.nextSibling; next !== null; next = next.nextSibling) pushTree(next, found);
  }
  return found;
}

/** Returns the nodes before a node that do not contain it, in reverse document order. */
function preceding(node: XmlNode): XmlNode[] {
  const found: XmlNode[] = [];
  for (let at = node.ownerElement ?? node; at.parent !== null; at = at.parent) {
    for (let before = at.previousSibling; before !== null; before = before.previousSibling) {
      const tree: XmlNode[] = [];
      pushTree(before, tree);
      for (const one of tree.reverse()) found.push(one);
    }
  }
  return found;
}

/** Recursive; the parser limits the depth of documents. */
function pushTree(node: XmlNode, into: XmlNode[]): void {
  into.push(node);
  pushBelow(node, into);
}

function pushBelow(node: XmlNode, into: XmlNode[]): void {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) pushTree(child, into);
}
