import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { escapeAttribute, escapeText } from '../../model/canonical-xml.ts';

export const XMLNS = 'http://www.w3.org/2000/xmlns/';

type Namespaces = ReadonlyMap<string, string>;

const noNamespaces: Namespaces = new Map();

/**
 * Writes the content of a property with `parseType="Literal"` in the canonical form of RDF 1.1:
 * Exclusive XML Canonicalization with comments. An element declares those namespaces that it uses
 * and that no element around it has declared.
 */
export class XmlLiteral {
  readonly #spend: (characters: number) => void;
  readonly #checkLength: (text: string) => void;
  #text = '';
  /** Names of the open elements, with the namespaces that are declared in each. */
  readonly #open: { readonly name: string; readonly declared: Namespaces }[] = [];

  /**
   * `spend` is called with the characters that are written, and with namespaces that are copied;
   * `checkLength` with the text whenever that has become longer.
   */
  constructor(spend: (characters: number) => void, checkLength: (text: string) => void) {
    this.#spend = spend;
    this.#checkLength = checkLength;
  }

  get text(): string {
    return this.#text;
  }

  openTag(tag: SaxesTagNS): void {
    const attributes = Object.values(tag.attributes).filter(({ uri }) => uri !== XMLNS);
    const outer = this.#open.at(-1)?.declared ?? noNamespaces;
    const added = undeclared(tag, attributes, outer);
    this.#write(`<${tag.name}`);
    for (const [prefix, uri] of added) {
      this.#write(` xmlns${prefix === '' ? '' : `:${prefix}`}="${escapeAttribute(uri)}"`);
    }
    for (const { name, value } of attributes.sort(byExpandedName)) {
      this.#write(` ${name}="${escapeAttribute(value)}"`);
    }
    this.#write('>');
    this.#open.push({ name: tag.name, declared: added.length === 0 ? outer : this.#joined(outer, added) });
  }

  #joined(outer: Namespaces, added: readonly [string, string][]): Namespaces {
    this.#spend(outer.size);
    return new Map([...outer, ...added]);
  }

  /** Returns false, and does nothing, if no element is open. */
  closeTag(): boolean {
    const element = this.#open.pop();
    if (element) this.#write(`</${element.name}>`);
    return element !== undefined;
  }

  characters(text: string): void {
    this.#write(escapeText(text));
  }

  comment(text: string): void {
    this.#write(`<!--${text}-->`);
  }

  instruction({ target, body }: { readonly target: string; readonly body: string }): void {
    this.#write(body === '' ? `<?${target}?>` : `<?${target} ${body}?>`);
  }

  #write(text: string): void {
    this.#spend(text.length);
    this.#text += text;
    this.#checkLength(this.#text);
  }
}

/** Returns prefixes and namespaces that a tag uses and has to declare, in the order of prefixes. */
function undeclared(
  tag: SaxesTagNS,
  attributes: readonly SaxesAttributeNS[],
  outer: Namespaces,
): [string, string][] {
  const used = new Map([[tag.prefix, tag.uri]]);
  for (const { prefix, uri } of attributes) if (prefix !== '') used.set(prefix, uri);
  // It is bound by definition.
  used.delete('xml');
  return [...used]
    .filter(([prefix, uri]) => (outer.get(prefix) ?? '') !== uri)
    .sort(([left], [right]) => (left < right ? -1 : 1));
}

function byExpandedName(left: SaxesAttributeNS, right: SaxesAttributeNS): number {
  if (left.uri !== right.uri) return left.uri < right.uri ? -1 : 1;
  return left.local < right.local ? -1 : 1;
}
