/** Parses HTML like browsers do, repairing malformed input. */
import type { DefaultTreeAdapterMap, DefaultTreeAdapterTypes, Parser, ParserOptions } from 'parse5';
import { meter } from '../document-meter.ts';
import { lazyLibrary } from '../lazy-library.ts';

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
export type HtmlParent = DefaultTreeAdapterTypes.ParentNode;

export const parse5 = lazyLibrary<typeof import('parse5')>('parse5');

/** Some input takes the parser quadratic time, so the clock is checked between chunks. */
const CHUNK = 8192;
/** The number of characters that cost about as much as a step. */
const CHARACTERS_A_STEP = 16;

/** The number of children that are searched in about the time of a visit. */
const CHILDREN_A_VISIT = 256;

/** Parses a document. `html`, `head` and `body` are created if the text does not have them. */
export function parseHtml(text: string): DefaultTreeAdapterTypes.Document {
  const parser = new (parse5().Parser)<DefaultTreeAdapterMap>(options());
  feed(parser, text);
  return parser.document;
}

/** Parses the contents of a `body` element. */
export function parseHtmlFragment(text: string): HtmlParent {
  const { Parser, defaultTreeAdapter, html } = parse5();
  const body = defaultTreeAdapter.createElement('body', html.NS.HTML, []);
  const parser = Parser.getFragmentParser<DefaultTreeAdapterMap>(body, options());
  feed(parser, text);
  // `getFragment` is not used because it removes the children one by one, in quadratic time.
  return parser.document.childNodes[0] as HtmlElement;
}

function feed(parser: Parser<DefaultTreeAdapterMap>, text: string): void {
  for (let start = 0; start < text.length; start += CHUNK) {
    parser.tokenizer.write(text.slice(start, start + CHUNK), false);
    meter.work(CHUNK / CHARACTERS_A_STEP);
    // This is a protected member, but it is the only way to see a tag before its end.
    const token = parser.tokenizer['currentToken'];
    if (token !== null && 'attrs' in token) meter.attributes(token.attrs.length);
  }
  parser.tokenizer.write('', true);
}

/** `scriptingEnabled: false` makes `noscript` contain elements instead of text. */
function options(): ParserOptions<DefaultTreeAdapterMap> {
  const { defaultTreeAdapter: tree } = parse5();
  let depth = 0;
  return {
    scriptingEnabled: false,
    treeAdapter: {
      ...tree,
      createElement: (name, namespace, attributes) => {
        meter.node();
        for (let i = 0; i < attributes.length; i++) meter.node();
        return tree.createElement(name, namespace, attributes);
      },
      createCommentNode: (data) => {
        meter.node();
        return tree.createCommentNode(data);
      },
      insertText: (parent, text) => {
        meter.node();
        tree.insertText(parent, text);
      },
      insertTextBefore: (parent, text, reference) => {
        meter.node();
        lookThrough(parent);
        tree.insertTextBefore(parent, text, reference);
      },
      insertBefore: (parent, node, reference) => {
        lookThrough(parent);
        tree.insertBefore(parent, node, reference);
      },
      detachNode: (node) => {
        if (node.parentNode) lookThrough(node.parentNode);
        tree.detachNode(node);
      },
      adoptAttributes: (element, attributes) => {
        meter.visit(element.attrs.length + attributes.length);
        tree.adoptAttributes(element, attributes);
        meter.attributes(element.attrs.length);
      },
      onItemPush: () => meter.depth(++depth),
      onItemPop: () => void depth--,
    },
  };
}

/** Counts a search through the children. */
function lookThrough({ childNodes }: HtmlParent): void {
  meter.visit(Math.ceil(childNodes.length / CHILDREN_A_VISIT));
}

/**
 * Visits all descendants of a node in document order, without recursion. `enter` returns whether to
 * descend into a node; `leave` is called for the nodes that were entered. The contents of a
 * `template` are not among its descendants.
 */
export function walkHtml(
  root: HtmlParent,
  enter: (node: HtmlNode) => boolean,
  leave: (node: HtmlParent) => void,
): void {
  const path: { readonly parent: HtmlParent; next: number }[] = [{ parent: root, next: 0 }];
  while (path.length > 0) {
    const top = path.at(-1)!;
    const node = top.parent.childNodes[top.next++];
    if (node === undefined) {
      path.pop();
      if (path.length > 0) leave(top.parent);
      continue;
    }
    meter.visit();
    if (enter(node) && 'childNodes' in node) path.push({ parent: node, next: 0 });
  }
}

export function isElement(node: HtmlNode): node is HtmlElement {
  return 'tagName' in node;
}

export function isText(node: HtmlNode): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text';
}
