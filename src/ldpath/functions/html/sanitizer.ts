/**
 * Implements `fn:cleanHtml`: builds a new tree that only contains elements and attributes listed
 * here (ldpath 5.5).
 */
import type { DefaultTreeAdapterTypes } from 'parse5';
import {
  type HtmlElement,
  type HtmlParent,
  isElement,
  isText,
  parse5,
  parseHtmlFragment,
  walkHtml,
} from './document.ts';
import { unreadable } from './elements.ts';
import { innerMarkup } from './markup.ts';

const allowed = new Set(
  'a b blockquote br cite code dd dl dt em i li ol p pre q small span strike strong sub sup u ul'.split(' '),
);

const link = /^(?:(?:https?|ftp):\/\/|mailto:)/i;
const source = /^https?:\/\//i;

/** The URL attribute of an element, and the pattern that it must match. */
const urlAttributes: ReadonlyMap<string, readonly [string, RegExp]> = new Map([
  ['a', ['href', link]],
  ['blockquote', ['cite', source]],
  ['q', ['cite', source]],
]);

/**
 * Returns the markup of the allowed elements; of other elements only the text is kept, except for
 * scripts and styles.
 */
export function cleanHtml(text: string): string {
  const { defaultTreeAdapter: tree, html } = parse5();
  const clean = tree.createDocumentFragment();
  let parent: HtmlParent = clean;
  walkHtml(
    parseHtmlFragment(text),
    (node) => {
      if (isText(node)) tree.appendChild(parent, tree.createTextNode(node.value));
      if (!isElement(node) || unreadable.has(node.tagName)) return false;
      if (!isAllowed(node)) return true;
      const copy = tree.createElement(node.tagName, html.NS.HTML, cleanAttributes(node));
      tree.appendChild(parent, copy);
      parent = copy;
      return true;
    },
    (node) => {
      if (isAllowed(node)) parent = (parent as HtmlElement).parentNode!;
    },
  );
  return innerMarkup(clean);
}

function isAllowed(node: HtmlParent): boolean {
  const { html } = parse5();
  return 'tagName' in node && node.namespaceURI === html.NS.HTML && allowed.has(node.tagName);
}

function cleanAttributes(element: HtmlElement): DefaultTreeAdapterTypes.Element['attrs'] {
  const [name, pattern] = urlAttributes.get(element.tagName) ?? [];
  const url = element.attrs.find((attribute) => attribute.name === name)?.value.trim();
  const kept = name !== undefined && url !== undefined && pattern!.test(url) ? [{ name, value: url }] : [];
  return element.tagName === 'a' ? [...kept, { name: 'rel', value: 'nofollow' }] : kept;
}
