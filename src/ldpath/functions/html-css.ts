/** CSS selectors on HTML, with four that jsoup added to them: `:eq(n)`, `:lt(n)`, `:gt(n)`, `:contains(text)` in any case. */
import type { compile, Options } from 'css-select';
import type { TermId } from '../../graph/term-id.ts';
import type { EvaluationContext } from '../context.ts';
import { meter } from './document-meter.ts';
import { type HtmlElement, type HtmlNode, type HtmlParent, isElement, parse5 } from './html-document.ts';
import { htmlToText } from './html-text.ts';
import { lazyLibrary } from './lazy-library.ts';

const cssSelect = lazyLibrary<typeof import('css-select')>('css-select');

/** Tells of an element whether it matches. */
export type CssQuery = ReturnType<typeof compile<HtmlNode, HtmlElement>>;

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>['adapter']>;

/** Every move is counted. */
const adapter: Adapter = {
  isTag: isElement,
  getAttributeValue: (element, name) => element.attrs.find((attribute) => attribute.name === name)?.value,
  hasAttrib: (element, name) => element.attrs.some((attribute) => attribute.name === name),
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
  getText: (node) => ('childNodes' in node ? htmlToText(node) : ''),
  removeSubsets: (nodes) => nodes.filter((node) => !hasAncestor(node, new Set(nodes))),
};

function childrenOf(node: HtmlNode): HtmlNode[] {
  return 'childNodes' in node ? node.childNodes : [];
}

function hasAncestor(node: HtmlNode, others: ReadonlySet<HtmlNode>): boolean {
  for (let at = (node as HtmlElement).parentNode; at; at = (at as HtmlElement).parentNode) {
    if (others.has(at)) return true;
  }
  return false;
}

/** Among the elements below one parent, counted from 0. */
function position(element: HtmlElement): number {
  return adapter.getSiblings(element).filter(isElement).indexOf(element);
}

const options: Options<HtmlNode, HtmlElement> = {
  adapter,
  /** What is kept would outlive the evaluation. */
  cacheResults: false,
  pseudos: {
    eq: (element, value) => position(element) === Number(value),
    lt: (element, value) => position(element) < Number(value),
    gt: (element, value) => position(element) > Number(value),
    contains: (element, value) => htmlToText(element).toLowerCase().includes(String(value).toLowerCase()),
  },
};

/** @throws Error when it is no selector */
export function compileCss(selector: string): CssQuery {
  if (/(?:^|[>+~])\s*$/.test(selector)) throw new Error('Nothing stands at its end');
  return cssSelect().compile<HtmlNode, HtmlElement>(selector, options);
}

/** Appends the markup of every match, in document order. */
export function selectCss(
  context: EvaluationContext,
  query: CssQuery,
  document: HtmlParent,
  into: TermId[],
): void {
  const matches = cssSelect().selectAll<HtmlNode, HtmlElement>(query, document, options);
  for (const element of matches) into.push(context.literal(parse5().serializeOuter(element)));
}
