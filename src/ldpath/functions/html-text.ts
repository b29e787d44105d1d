import { type HtmlNode, type HtmlParent, isElement, isText, walkHtml } from './html-document.ts';

/** Elements that stand on lines of their own; text in them is no part of the words around them. */
const separate = new Set(
  (
    'address article aside blockquote body br caption center col colgroup dd details dialog dir div dl dt fieldset ' +
    'figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ' +
    'ol optgroup option p plaintext pre search section summary table tbody td tfoot th thead title tr ul xmp'
  ).split(' '),
);

/** Elements whose text is not for readers. */
export const unreadable: ReadonlySet<string> = new Set(['script', 'style']);

/** Text content with white space collapsed; no-break spaces are no white space. */
export function htmlToText(root: HtmlParent): string {
  const parts: string[] = [];
  const breakAround = (node: HtmlNode) => {
    if (separate.has(node.nodeName)) parts.push(' ');
  };
  walkHtml(
    root,
    (node) => {
      if (isText(node)) parts.push(node.value);
      if (!isElement(node) || unreadable.has(node.tagName)) return false;
      breakAround(node);
      return true;
    },
    breakAround,
  );
  return parts
    .join('')
    .replace(/[ \t\n\f\r]+/g, ' ')
    .replace(/^ | $/g, '');
}
