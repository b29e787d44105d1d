/**
 * Parses XML without DTDs, and so without entities except for the five predefined ones (ldpath 5.9,
 * 8.4).
 */
import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { meter } from '../document-meter.ts';
import { lazyLibrary } from '../lazy-library.ts';
import { ATTRIBUTE, COMMENT, DOCUMENT, ELEMENT, INSTRUCTION, TEXT, type XmlName, XmlNode } from './node.ts';

/** The clock is checked between chunks. */
const CHUNK = 8192;
/** The number of characters that cost about as much as a step. */
const CHARACTERS_A_STEP = 64;

const saxes = lazyLibrary<typeof import('saxes')>('saxes');

/**
 * @throws Error if the text is not well-formed or has a DOCTYPE
 */
export function parseXml(text: string): XmlNode {
  const builder = new TreeBuilder();
  const parser = new (saxes().SaxesParser)({ xmlns: true, position: true });
  parser.on('doctype', () => {
    throw new Error('A document type declaration is not allowed');
  });
  parser.on('opentag', (tag) => builder.open(tag));
  parser.on('closetag', () => builder.close());
  parser.on('text', (data) => builder.text(data));
  parser.on('cdata', (data) => builder.text(data));
  parser.on('comment', (data) => builder.leaf(COMMENT, data));
  parser.on('processinginstruction', ({ target, body }) =>
    builder.leaf(INSTRUCTION, body, { nodeName: target, prefix: '', localName: target, namespaceURI: '' }),
  );
  for (let start = 0; start < text.length; start += CHUNK) {
    parser.write(text.slice(start, start + CHUNK));
    meter.work(CHUNK / CHARACTERS_A_STEP);
    // This is a private member, but the parser reports attributes only when their tag ends, and
    // this is the only way to see them before.
    meter.attributes((parser['attribList'] as readonly unknown[]).length);
  }
  parser.close();
  return builder.document;
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';

class TreeBuilder {
  readonly document = new XmlNode(DOCUMENT, null, 0);
  #parent = this.document;
  #depth = 0;
  #order = 0;

  open(tag: SaxesTagNS): void {
    meter.node();
    meter.depth(++this.#depth);
    const element = new XmlNode(ELEMENT, this.#parent, ++this.#order, {
      name: nameOf(tag),
      declarations: tag.ns,
    });
    this.#parent.childNodes.push(element);
    for (const attribute of Object.values(tag.attributes)) {
      meter.node();
      if (attribute.uri === XMLNS) continue;
      const content = { name: nameOf(attribute), value: attribute.value };
      element.attributes!.push(new XmlNode(ATTRIBUTE, element, ++this.#order, content));
    }
    this.#parent = element;
  }

  close(): void {
    this.#depth--;
    this.#parent = this.#parent.parent!;
  }

  /** Merges adjacent texts; text outside the root element is ignored. */
  text(data: string): void {
    const before = this.#parent.childNodes.at(-1);
    if (before?.nodeType === TEXT) before.append(data);
    else if (this.#parent !== this.document && data !== '') this.leaf(TEXT, data);
  }

  leaf(nodeType: number, data: string, name?: XmlName): void {
    meter.node();
    this.#parent.childNodes.push(new XmlNode(nodeType, this.#parent, ++this.#order, { name, value: data }));
  }
}

function nameOf({ name, prefix, local, uri }: SaxesTagNS | SaxesAttributeNS): XmlName {
  return { nodeName: name, prefix, localName: local, namespaceURI: uri };
}
