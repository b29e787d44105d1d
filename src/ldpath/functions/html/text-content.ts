import { meter } from '../document-meter.ts';
import { type HtmlParent, isElement, isText, walkHtml } from './document.ts';
import { beginLine, unreadable } from './elements.ts';

/**
 * Returns the text content with white space collapsed; no-break spaces do not count as white space.
 */
export function htmlToText(root: HtmlParent): string {
  const parts: string[] = [];
  walkHtml(
    root,
    (node) => {
      if (isText(node)) parts.push(node.value);
      if (!isElement(node)) return false;
      if (beginLine.has(node.tagName)) parts.push(' ');
      return !unreadable.has(node.tagName);
    },
    () => {},
  );
  return collapsed(parts);
}

/** The same without the text of child elements. */
export function ownHtmlText(parent: HtmlParent): string {
  return collapsed(
    parent.childNodes.map((node) => (isText(node) ? node.value : node.nodeName === 'br' ? ' ' : '')),
  );
}

function collapsed(parts: readonly string[]): string {
  const text = parts.join('');
  meter.read(text.length);
  return collapseBlanks(text).replace(/^ | $/g, '');
}

/** Collapses white space. Most texts only have single blanks, and are returned unchanged. */
export function collapseBlanks(text: string): string {
  return /[\t\n\f\r]| {2}/.test(text) ? text.replace(/[ \t\n\f\r]+/g, ' ') : text;
}
