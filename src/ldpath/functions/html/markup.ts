/**
 * Writes HTML like jsoup: each element that is not part of a line gets a line of its own (ldpath
 * 5.5).
 */
import type { DefaultTreeAdapterTypes } from 'parse5';
import { meter } from '../document-meter.ts';
import { type HtmlElement, type HtmlNode, type HtmlParent, isElement, isText } from './document.ts';
import { empty, flags, inLine, preformatted, rawText } from './elements.ts';
import { collapseBlanks } from './text-content.ts';

/** Maximum number of blanks before a line. The limit prevents depth from multiplying the length. */
const MAX_INDENT = 30;

export function outerMarkup(element: HtmlElement): string {
  const writer = new MarkupWriter();
  writer.element(element, 0, { onLines: false, isPreformatted: false });
  return writer.text;
}

/** Returns the markup of the contents of a fragment. */
export function innerMarkup(parent: HtmlParent): string {
  const writer = new MarkupWriter();
  writer.nodes(parent.childNodes, 0, { onLines: true, isPreformatted: false });
  return trimBlanks(writer.text);
}

/**
 * Written by hand, since a regular expression for trailing blanks tries every blank before the end.
 */
function trimBlanks(text: string): string {
  const isBlank = (index: number) => ' \t\n\f\r'.includes(text.charAt(index));
  let [start, end] = [0, text.length];
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

/** The surroundings that determine the layout of a node. */
interface Surroundings {
  /** Whether the contents of the parent are on lines of their own. */
  readonly onLines: boolean;
  readonly isPreformatted: boolean;
}

/** Recursive; the depth of documents is limited. */
class MarkupWriter {
  text = '';

  nodes(nodes: readonly HtmlNode[], depth: number, around: Surroundings): void {
    for (const node of nodes) {
      if (isElement(node)) this.element(node, depth, around);
      else if (isText(node)) this.#characters(node, depth, around, node === nodes[0]);
      else if ('data' in node) {
        this.#beginLine(depth);
        this.text += `<!--${node.data}-->`;
      }
    }
  }

  element(element: HtmlElement, depth: number, around: Surroundings): void {
    meter.visit();
    const { tagName: name } = element;
    const onLines = !inLine.has(name);
    if (this.text !== '' && (onLines || around.onLines)) this.#beginLine(depth);
    this.text += `<${name}`;
    for (const attribute of element.attrs) this.text += attributeMarkup(attribute);
    this.text += '>';
    const { childNodes: children } = isTemplate(element) ? element.content : element;
    if (children.length === 0 && empty.has(name)) return;
    const isPreformatted = around.isPreformatted || preformatted.has(name);
    this.nodes(children, depth + 1, { onLines, isPreformatted });
    if (onLines && children.length > 0) this.#beginLine(depth);
    this.text += `</${name}>`;
  }

  #characters(
    { value, parentNode }: DefaultTreeAdapterTypes.TextNode,
    depth: number,
    around: Surroundings,
    isFirst: boolean,
  ): void {
    meter.read(value.length);
    if (isFirst && around.onLines && /[^ \t\n\f\r]/.test(value)) this.#beginLine(depth);
    const written = around.isPreformatted ? value : collapseBlanks(value);
    this.text += rawText.has(parentNode?.nodeName ?? '') ? value : written.replace(/[&<>\u00a0]/g, escaped);
  }

  #beginLine(depth: number): void {
    this.text += `\n${' '.repeat(Math.min(depth, MAX_INDENT))}`;
  }
}

function isTemplate(element: HtmlElement): element is DefaultTreeAdapterTypes.Template {
  return 'content' in element;
}

function attributeMarkup({ name, prefix, value }: HtmlElement['attrs'][number]): string {
  const written = prefix ? `${prefix}:${name}` : name;
  if (flags.has(written) && (value === '' || value.toLowerCase() === written)) return ` ${written}`;
  return ` ${written}="${value.replace(/[&"\u00a0]/g, escaped)}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\u00a0': '&nbsp;',
};

function escaped(character: string): string {
  return escapes[character]!;
}
