import type { SaxesTagNS } from 'saxes';
import { blankTerm, type TermRef, typedTerm } from '../../interning/text-terms.ts';
import { RDF } from '../../model/term.ts';
import { isLanguageTag } from '../language-tag.ts';
import {
  type Attributes,
  isNoNode,
  isNoProperty,
  readAttributes,
  type SyntaxAttribute,
} from './attributes.ts';
import type { Place, Scope, Statement, Triples } from './triples.ts';
import { XmlLiteral } from './xml-literal.ts';

/** An element that is open, or the document. */
export interface Element {
  open(tag: SaxesTagNS): Element;
  text(text: string): void;
  close(): void;
  /** Present within an XML literal, which keeps comments and processing instructions. */
  readonly literal?: XmlLiteral;
}

/** What all elements of a document need. */
interface Reading {
  readonly place: Place;
  readonly triples: Triples;
}

export function documentElement(reading: Reading, scope: Scope): Element {
  return new Nodes(reading, scope, true);
}

abstract class RdfElement implements Reading {
  readonly place: Place;
  readonly triples: Triples;
  readonly scope: Scope;

  constructor({ place, triples }: Reading, scope: Scope) {
    this.place = place;
    this.triples = triples;
    this.scope = scope;
  }

  protected attributesOf(tag: SaxesTagNS): Attributes {
    if (tag.uri === '') this.place.reject(`The element ${tag.name} has no namespace`);
    return readAttributes(tag, (reason) => this.place.reject(reason));
  }

  /** Returns the scope of a child element. */
  protected scopeWith({ language, base, rdf12 }: Attributes): Scope {
    if (language === undefined && base === undefined && rdf12 === undefined) return this.scope;
    if (language !== undefined && language !== '' && !isLanguageTag(language)) {
      this.place.reject('Malformed language tag in xml:lang');
    }
    const isRdf12 = rdf12?.version === undefined ? this.scope.isRdf12 : rdf12.version === '1.2';
    return {
      isRdf12,
      direction: isRdf12 ? this.#direction(rdf12?.direction) : '',
      language: language ?? this.scope.language,
      base: base === undefined ? this.scope.base : this.triples.iri(base, this.scope).value,
    };
  }

  #direction(own: string | undefined): string {
    if (own !== undefined && own !== 'ltr' && own !== 'rtl') this.place.reject('its:dir is ltr or rtl');
    return own ?? this.scope.direction;
  }

  /** Reads the start tag of a resource. */
  protected openNode(tag: SaxesTagNS): Node {
    if (tag.uri === RDF && isNoNode(tag.local)) this.place.reject(`${tag.name} is not allowed as a resource`);
    const attributes = this.attributesOf(tag);
    const { annotation, annotationNodeID } = attributes.rdf12 ?? {};
    if (annotation !== undefined || annotationNodeID !== undefined) {
      this.place.reject('An annotation is only allowed for a property');
    }
    const scope = this.scopeWith(attributes);
    const subject = this.#subject(attributes.syntax, scope);
    if (tag.uri !== RDF || tag.local !== 'Description') {
      this.triples.add(subject, this.triples.rdf('type'), this.triples.name(tag.uri, tag.local));
    }
    this.addProperties(subject, attributes, scope);
    return new Node(this, subject, scope);
  }

  #subject(syntax: ReadonlyMap<SyntaxAttribute, string>, scope: Scope): TermRef {
    if (syntax.size > 1)
      this.place.reject('A resource has more than one of rdf:about, rdf:ID and rdf:nodeID');
    const [[name, value] = ['', '']] = syntax;
    switch (name) {
      case '':
        return blankTerm();
      case 'about':
        return this.triples.iri(value, scope);
      case 'ID':
        return this.triples.given(value, scope);
      case 'nodeID':
        return this.triples.labelled(value);
      default:
        return this.place.reject(`rdf:${name} is not allowed for a resource`);
    }
  }

  /** Adds the properties that attributes express. */
  protected addProperties(subject: TermRef, { properties }: Attributes, scope: Scope): void {
    for (const { namespace, local, value } of properties) {
      const isType = namespace === RDF && local === 'type';
      const object = isType ? this.triples.iri(value, scope) : this.triples.text(value, scope);
      this.triples.add(subject, this.triples.name(namespace, local), object);
    }
  }

  protected requireSpace(text: string): void {
    if (/[^ \t\r\n]/.test(text)) this.place.reject('Text is not allowed here');
  }
}

/** The document, or `rdf:RDF`: the elements in it are resources. */
class Nodes extends RdfElement implements Element {
  readonly #isDocument: boolean;

  constructor(reading: Reading, scope: Scope, isDocument: boolean) {
    super(reading, scope);
    this.#isDocument = isDocument;
  }

  open(tag: SaxesTagNS): Element {
    const isRdf = tag.uri === RDF && tag.local === 'RDF';
    if (!this.#isDocument || !isRdf) return this.openNode(tag);
    const attributes = this.attributesOf(tag);
    if (attributes.syntax.size + attributes.properties.length > 0) {
      this.place.reject(`${tag.name} can only have xml:lang and xml:base as attributes`);
    }
    return new Nodes(this, this.scopeWith(attributes), false);
  }

  text(text: string): void {
    this.requireSpace(text);
  }

  close(): void {}
}

/** A resource: the elements in it are properties. */
class Node extends RdfElement implements Element {
  readonly subject: TermRef;
  /** Number of `rdf:li` so far. */
  #items = 0;

  constructor(reading: Reading, subject: TermRef, scope: Scope) {
    super(reading, scope);
    this.subject = subject;
  }

  open(tag: SaxesTagNS): Element {
    const attributes = this.attributesOf(tag);
    const scope = this.scopeWith(attributes);
    if (attributes.syntax.has('about')) this.place.reject('rdf:about is not allowed for a property');
    const id = attributes.syntax.get('ID');
    const predicate = this.#predicate(tag);
    const name = id === undefined ? undefined : this.triples.given(id, scope);
    const statement = { subject: this.subject, predicate, name, reifier: this.#reifier(attributes, scope) };
    const parseType = attributes.syntax.get('parseType');
    if (parseType === undefined) return new Property(this, statement, attributes, scope);
    return this.#openTyped(parseType, statement, attributes, scope);
  }

  text(text: string): void {
    this.requireSpace(text);
  }

  close(): void {}

  /** Returns the resource that `rdf:annotation` or `rdf:annotationNodeID` names. */
  #reifier({ rdf12 }: Attributes, scope: Scope): TermRef | undefined {
    const { annotation, annotationNodeID } = rdf12 ?? {};
    if (annotation === undefined && annotationNodeID === undefined) return undefined;
    if (annotation !== undefined && annotationNodeID !== undefined) {
      this.place.reject('A property has both rdf:annotation and rdf:annotationNodeID');
    }
    return annotation === undefined
      ? this.triples.labelled(annotationNodeID!)
      : this.triples.iri(annotation, scope);
  }

  #predicate({ uri, local, name }: SaxesTagNS): TermRef {
    if (uri !== RDF) return this.triples.name(uri, local);
    if (isNoProperty(local)) this.place.reject(`${name} is not allowed as a property`);
    return this.triples.rdf(local === 'li' ? `_${++this.#items}` : local);
  }

  #openTyped(parseType: string, statement: Statement, attributes: Attributes, scope: Scope): Element {
    const others = [...attributes.syntax.keys()].filter((name) => name !== 'ID' && name !== 'parseType');
    if (others.length + attributes.properties.length > 0) {
      this.place.reject('rdf:parseType is not allowed beside other attributes than rdf:ID');
    }
    switch (parseType) {
      case 'Resource': {
        const object = blankTerm();
        this.triples.addStatement(statement, object);
        return new Node(this, object, scope);
      }
      case 'Collection':
        return new Collection(this, statement, scope);
      case 'Triple':
        if (!scope.isRdf12) this.place.reject(tripleNeedsVersion, 'parseType');
        return new TripleProperty(this, statement, scope);
      default:
        return new Markup(this, statement, scope);
    }
  }
}

/** A property whose value is a resource, a text, or in its attributes. */
class Property extends RdfElement implements Element {
  readonly #statement: Statement;
  readonly #attributes: Attributes;
  #hasNode = false;
  #text = '';

  constructor(reading: Reading, statement: Statement, attributes: Attributes, scope: Scope) {
    super(reading, scope);
    this.#statement = statement;
    this.#attributes = attributes;
  }

  open(tag: SaxesTagNS): Element {
    const { syntax, properties } = this.#attributes;
    if (this.#hasNode) this.place.reject('A property contains a second resource');
    this.requireSpace(this.#text);
    if (properties.length > 0 || syntax.size > (syntax.has('ID') ? 1 : 0)) {
      this.place.reject('A property that contains a resource has attributes for a value');
    }
    this.#hasNode = true;
    const node = this.openNode(tag);
    this.triples.addStatement(this.#statement, node.subject);
    return node;
  }

  text(text: string): void {
    if (this.#hasNode) {
      this.requireSpace(text);
    } else {
      this.#text += text;
      this.triples.checkLength(this.#text);
    }
  }

  close(): void {
    if (this.#hasNode) return;
    const { syntax, properties } = this.#attributes;
    if (syntax.has('resource') || syntax.has('nodeID') || properties.length > 0) this.#closeEmpty();
    else this.#add(this.triples.literal(this.#text, syntax.get('datatype'), this.scope));
  }

  /** The value is a resource that attributes describe. */
  #closeEmpty(): void {
    this.requireSpace(this.#text);
    const { syntax } = this.#attributes;
    const resource = syntax.get('resource');
    const label = syntax.get('nodeID');
    if (syntax.has('datatype') || (resource !== undefined && label !== undefined)) {
      this.place.reject('A property has attributes for more than one value');
    }
    const labelled = label === undefined ? blankTerm() : this.triples.labelled(label);
    const object = resource === undefined ? labelled : this.triples.iri(resource, this.scope);
    this.#add(object);
    this.addProperties(object, this.#attributes, this.scope);
  }

  #add(object: TermRef): void {
    this.triples.addStatement(this.#statement, object);
  }
}

/** A property with `parseType="Collection"`: its value is the list of the resources in it. */
class Collection extends RdfElement implements Element {
  readonly #statement: Statement;
  #last: TermRef | undefined;

  constructor(reading: Reading, statement: Statement, scope: Scope) {
    super(reading, scope);
    this.#statement = statement;
  }

  open(tag: SaxesTagNS): Element {
    const node = this.openNode(tag);
    const cell = blankTerm();
    this.#link(cell);
    this.triples.add(cell, this.triples.rdf('first'), node.subject);
    this.#last = cell;
    return node;
  }

  text(text: string): void {
    this.requireSpace(text);
  }

  close(): void {
    this.#link(this.triples.rdf('nil'));
  }

  #link(rest: TermRef): void {
    if (this.#last) this.triples.add(this.#last, this.triples.rdf('rest'), rest);
    else this.triples.addStatement(this.#statement, rest);
  }
}

const tripleNeedsVersion =
  'rdf:parseType="Triple" needs the attribute rdf:version="1.2" of this element or one around it';

/** A property with `parseType="Triple"`: its value is the only triple that is in it. */
class TripleProperty extends RdfElement implements Element {
  readonly #statement: Statement;

  constructor(reading: Reading, statement: Statement, scope: Scope) {
    super(reading, scope);
    this.#statement = statement;
    this.triples.beginTerm();
  }

  open(tag: SaxesTagNS): Element {
    return this.openNode(tag);
  }

  text(text: string): void {
    this.requireSpace(text);
  }

  close(): void {
    this.triples.addStatement(this.#statement, this.triples.endTerm());
  }
}

/** A property whose value is an XML literal, and all elements in it. */
class Markup extends RdfElement implements Element {
  readonly #statement: Statement;
  readonly literal = new XmlLiteral(
    (characters) => this.triples.spend(characters),
    (text) => this.triples.checkLength(text),
  );

  constructor(reading: Reading, statement: Statement, scope: Scope) {
    super(reading, scope);
    this.#statement = statement;
  }

  open(tag: SaxesTagNS): Element {
    this.literal.openTag(tag);
    return this;
  }

  text(text: string): void {
    this.literal.characters(text);
  }

  close(): void {
    if (this.literal.closeTag()) return;
    this.triples.addStatement(this.#statement, typedTerm(this.literal.text, `${RDF}XMLLiteral`));
  }
}
