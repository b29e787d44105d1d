/** CSS selectors on HTML, in the dialect of jsoup (ldpath 5.5). */
import type { compile, Options } from 'css-select';
import { meter } from '../document-meter.ts';
import type { QueryCall } from '../document-query.ts';
import { lazyLibrary } from '../lazy-library.ts';
import { rewriteSelector } from './css-dialect.ts';
import { type HtmlElement, type HtmlNode, type HtmlParent, isElement, isText } from './document.ts';
import { attributeValue, setDocumentBase } from './element-tests.ts';
import { outerMarkup } from './markup.ts';
import { htmlToText } from './text-content.ts';

const cssSelect = lazyLibrary<typeof import('css-select')>('css-select');

/** Returns whether an element matches. */
export type CssQuery = ReturnType<typeof compile<HtmlNode, HtmlElement>>;

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>['adapter']>;

/** Counts every move to another node. */
const adapter: Adapter = {
  isTag: isElement,
  getAttributeValue: attributeValue,
  hasAttrib: (element, name) => attributeValue(element, name) !== undefined,
  getName: (element) => {
    meter.visit();
    return element.tagName;
  },
  getChildren: (node) => {
    meter.visit();
    return childrenOf(node);
  },
  getParent: (element) => {
    meter.visit();
    return element.parentNode;
  },
  getSiblings: (node) => {
    const { parentNode } = node as HtmlElement;
    const siblings = parentNode ? childrenOf(parentNode) : [node];
    for (let i = 0; i < siblings.length; i++) meter.visit();
    return siblings;
  },
  getText: (node) => ('childNodes' in node ? htmlToText(node) : isText(node) ? node.value : ''),
  removeSubsets: (nodes) => nodes.filter((node) => !hasAncestor(node, new Set(nodes))),
};

/** Cached results would outlive the evaluation. */
const options: Options<HtmlNode, HtmlElement> = { adapter, cacheResults: false };

function childrenOf(node: HtmlNode): HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function hasAncestor(node: HtmlNode, others: ReadonlySet<HtmlNode>): boolean {
  for (let at = (node as HtmlElement).parentNode; at; at = (at as HtmlElement).parentNode) {
    if (others.has(at)) return true;
  }
  return false;
}

/**
 * @throws Error if the selector is malformed
 */
export function compileCss(selector: string): CssQuery {
  if (/(?:^|[>+~])\s*$/.test(selector)) throw new Error('Unexpected end of selector');
  const { selector: plain, tests } = rewriteSelector(selector);
  return cssSelect().compile<HtmlNode, HtmlElement>(plain, { ...options, pseudos: tests });
}

/**
 * Appends the markup of every match, in document order. The node's IRI is the base of the
 * document's URLs.
 */
export function selectCss({ context, node, into }: QueryCall, query: CssQuery, document: HtmlParent): void {
  const term = context.term(node);
  setDocumentBase(term.kind === 'iri' ? term.value : '');
  const matches = cssSelect().selectAll<HtmlNode, HtmlElement>(query, document, options);
  for (const element of matches) into.push(context.literal(outerMarkup(element)));
}
