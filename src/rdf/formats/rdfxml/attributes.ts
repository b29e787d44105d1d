import type { SaxesTagNS } from 'saxes';
import { RDF } from '../../model/term.ts';
import { XMLNS } from './xml-literal.ts';

const XML = 'http://www.w3.org/XML/1998/namespace';
export const ITS = 'http://www.w3.org/2005/11/its';

/** Attributes of the RDF namespace that are syntax, not properties. */
const syntax = ['ID', 'about', 'datatype', 'nodeID', 'parseType', 'resource'] as const;
export type SyntaxAttribute = (typeof syntax)[number];

/** Those that may be written without a prefix, as in documents of before 2004. */
const unprefixed: ReadonlySet<string> = new Set(['ID', 'about', 'parseType', 'resource', 'type']);
const removed: ReadonlySet<string> = new Set(['aboutEach', 'aboutEachPrefix', 'bagID']);
const elements: ReadonlySet<string> = new Set(['RDF', 'Description', 'li']);

export interface AttributeProperty {
  readonly namespace: string;
  readonly local: string;
  readonly value: string;
}

/** Attributes of RDF 1.2; undefined if absent. */
interface Rdf12Attributes {
  /** `rdf:version` and `its:dir`. */
  readonly version?: string;
  readonly direction?: string;
  /** `rdf:annotation` and `rdf:annotationNodeID`. */
  readonly annotation?: string;
  readonly annotationNodeID?: string;
}

/** The attributes of a start tag by their meaning. */
export interface Attributes {
  readonly syntax: ReadonlyMap<SyntaxAttribute, string>;
  readonly properties: readonly AttributeProperty[];
  /** `xml:lang` and `xml:base`; undefined if absent. */
  readonly language: string | undefined;
  readonly base: string | undefined;
  /** Undefined if there are none. */
  readonly rdf12: Rdf12Attributes | undefined;
}

/** The attributes of RDF 1.2 by their names in the namespace of RDF. */
const rdf12Names: ReadonlySet<string> = new Set(['version', 'annotation', 'annotationNodeID']);

const noAttributes: Attributes = {
  syntax: new Map(),
  properties: [],
  language: undefined,
  base: undefined,
  rdf12: undefined,
};

/** `reject` is called with the reason if an attribute is not allowed. */
export function readAttributes(tag: SaxesTagNS, reject: (reason: string) => never): Attributes {
  if (isEmpty(tag.attributes)) return noAttributes;
  const found = new Map<SyntaxAttribute, string>();
  const properties: AttributeProperty[] = [];
  let language: string | undefined;
  let base: string | undefined;
  let rdf12: Rdf12Attributes | undefined;
  for (const name in tag.attributes) {
    const { uri, local, value } = tag.attributes[name]!;
    if (uri === XMLNS) continue;
    if (uri === XML || (uri === '' && /^xml/i.test(name))) {
      if (name === 'xml:lang') language = value;
      else if (name === 'xml:base') base = value;
      continue;
    }
    if (uri === '' && !unprefixed.has(local)) reject(`The attribute ${name} has no namespace`);
    if (uri === ITS && (local === 'dir' || local === 'version')) {
      if (local === 'dir') rdf12 = { ...rdf12, direction: value };
    } else if (uri === RDF && rdf12Names.has(local)) rdf12 = { ...rdf12, [local]: value };
    else if (uri !== RDF && uri !== '') properties.push({ namespace: uri, local, value });
    else if (isSyntax(local)) {
      if (found.has(local)) reject(`The attribute rdf:${local} occurs twice, with and without a prefix`);
      found.set(local, value);
    } else properties.push({ namespace: RDF, local: checkedName(local, reject), value });
  }
  return { syntax: found, properties, language, base, rdf12 };
}

function isEmpty(attributes: object): boolean {
  for (const _ in attributes) return false;
  return true;
}

function isSyntax(local: string): local is SyntaxAttribute {
  return (syntax as readonly string[]).includes(local);
}

/** Returns the name of an attribute that is a property of the RDF namespace. */
function checkedName(local: string, reject: (reason: string) => never): string {
  if (removed.has(local) || elements.has(local)) reject(`rdf:${local} is not allowed as an attribute`);
  return local;
}

/** Whether a name of the RDF namespace cannot be that of a node element. */
export function isNoNode(local: string): boolean {
  return local === 'RDF' || local === 'li' || isSyntax(local) || removed.has(local);
}

/** Whether a name of the RDF namespace cannot be that of a property element. */
export function isNoProperty(local: string): boolean {
  return local === 'RDF' || local === 'Description' || isSyntax(local) || removed.has(local);
}
