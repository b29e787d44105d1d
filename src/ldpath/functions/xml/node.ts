import { meter } from '../document-meter.ts';

/** The kinds of nodes in documents, with the numbers of the DOM. CDATA sections are text. */
export const ELEMENT = 1;
export const ATTRIBUTE = 2;
export const TEXT = 3;
export const INSTRUCTION = 7;
export const COMMENT = 8;
export const DOCUMENT = 9;

const PRECEDING = 2;
const FOLLOWING = 4;

/** The attributes of an element, with the interface that XPath libraries expect. */
export class AttributeList extends Array<XmlNode> {
  item(index: number): XmlNode | undefined {
    return this[index];
  }
}

/**
 * The name of an element or attribute, or the target of a processing instruction. Empty for other
 * nodes.
 */
export interface XmlName {
  readonly nodeName: string;
  readonly prefix: string;
  readonly localName: string;
  readonly namespaceURI: string;
}

/** What a node has besides its kind and its place; what is missing is empty. */
export interface XmlContent {
  readonly name?: XmlName | undefined;
  readonly value?: string;
  /** Namespaces that an element declares, by prefix; they do not count as attributes. */
  readonly declarations?: Readonly<Record<string, string>>;
}

const nameless: XmlName = { nodeName: '', prefix: '', localName: '', namespaceURI: '' };
const none: Readonly<Record<string, string>> = {};

/**
 * A node with the members of the DOM that XPath uses. Every move to another node is counted, so no
 * expression can run forever.
 */
export class XmlNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly prefix: string;
  readonly localName: string;
  readonly namespaceURI: string;
  /** Position in document order. */
  readonly order: number;
  readonly parent: XmlNode | null;
  readonly ownerDocument: XmlNode;
  readonly attributes: AttributeList | null;
  readonly declarations: Readonly<Record<string, string>>;
  readonly childNodes: XmlNode[] = [];
  /** Index among the children of the parent. */
  readonly #index: number;
  #value: string;

  constructor(nodeType: number, parent: XmlNode | null, order: number, content: XmlContent = {}) {
    const { name = nameless, value = '', declarations = none } = content;
    this.nodeType = nodeType;
    this.parent = parent;
    this.order = order;
    this.nodeName = name.nodeName;
    this.prefix = name.prefix;
    this.localName = name.localName;
    this.namespaceURI = name.namespaceURI;
    this.#value = value;
    this.declarations = declarations;
    this.ownerDocument = parent === null ? this : parent.ownerDocument;
    this.attributes = nodeType === ELEMENT ? new AttributeList() : null;
    this.#index = parent === null || nodeType === ATTRIBUTE ? 0 : parent.childNodes.length;
  }

  get nodeValue(): string {
    meter.read(this.#value.length);
    return this.#value;
  }

  get value(): string {
    return this.nodeValue;
  }

  append(data: string): void {
    this.#value += data;
  }

  get parentNode(): XmlNode | null {
    meter.visit();
    return this.nodeType === ATTRIBUTE ? null : this.parent;
  }

  get ownerElement(): XmlNode | null {
    return this.nodeType === ATTRIBUTE ? this.parent : null;
  }

  get documentElement(): XmlNode | undefined {
    return this.childNodes.find((child) => child.nodeType === ELEMENT);
  }

  get firstChild(): XmlNode | null {
    meter.visit();
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): XmlNode | null {
    return this.#sibling(1);
  }

  get previousSibling(): XmlNode | null {
    return this.#sibling(-1);
  }

  #sibling(distance: number): XmlNode | null {
    meter.visit();
    if (this.nodeType === ATTRIBUTE) return null;
    return this.parent?.childNodes[this.#index + distance] ?? null;
  }

  getAttributeNS(namespace: string | null, localName: string): string | null {
    const found = this.attributes?.find(
      (attribute) => attribute.localName === localName && attribute.namespaceURI === (namespace ?? ''),
    );
    return found?.nodeValue ?? null;
  }

  getAttribute(name: string): string | null {
    return this.attributes?.find(({ nodeName }) => nodeName === name)?.nodeValue ?? null;
  }

  /** Returns only whether `other` is before or after; containment is not reported. */
  compareDocumentPosition(other: XmlNode): number {
    if (other === this) return 0;
    return other.order < this.order ? PRECEDING : FOLLOWING;
  }
}
