import { type NodeObject, nodeObject } from '../../ldpath/evaluate/node-object.ts';
import { parseTerm, RDF_DIR_LANG_STRING, RDF_LANG_STRING, XSD_STRING } from '../../rdf/model/term.ts';
import { partsOfTriple } from '../../rdf/model/triple-term.ts';
import type {
  BlankNode,
  DefaultGraph,
  Literal,
  NamedNode,
  QuadLike,
  Term,
  TermLike,
  Triple,
} from './rdf-terms.ts';

/** Returns a node of a result as a term of RDF/JS. */
export function termOf(node: NodeObject): Term {
  switch (node.type) {
    case 'uri':
      return new NameTerm('NamedNode', node.value);
    case 'bnode':
      return new NameTerm('BlankNode', node.value);
    case 'literal':
      return new LiteralTerm(node);
    case 'triple':
      return new TripleTerm(node.value);
  }
}

class NameTerm<Type extends 'NamedNode' | 'BlankNode' | 'DefaultGraph', Value extends string> {
  readonly termType: Type;
  readonly value: Value;

  constructor(termType: Type, value: Value) {
    this.termType = termType;
    this.value = value;
  }

  equals(other: TermLike | null | undefined): boolean {
    return other?.termType === this.termType && other.value === this.value;
  }
}

class LiteralTerm implements Literal {
  readonly termType = 'Literal';
  readonly value: string;
  readonly language: string;
  readonly direction: Literal['direction'];
  readonly datatype: NamedNode;

  constructor({ value, lang = '', direction = '', datatype = XSD_STRING }: NodeObject) {
    this.value = value;
    this.language = lang;
    this.direction = direction as Literal['direction'];
    const tagged = direction === '' ? RDF_LANG_STRING : RDF_DIR_LANG_STRING;
    this.datatype = new NameTerm('NamedNode', lang === '' ? datatype : tagged);
  }

  equals(other: TermLike | null | undefined): boolean {
    if (other?.termType !== 'Literal' || other.value !== this.value) return false;
    const { language, direction, datatype } = other as Literal;
    return (
      language === this.language && (direction ?? '') === this.direction && this.datatype.equals(datatype)
    );
  }
}

class TripleTerm implements Triple {
  readonly termType = 'Quad';
  readonly value = '';
  readonly subject: NamedNode | BlankNode;
  readonly predicate: NamedNode;
  readonly object: Term;
  readonly graph: DefaultGraph = new NameTerm('DefaultGraph', '');

  /** `text`: canonical N-Triples. */
  constructor(text: string) {
    const [subject, predicate, object] = partsOfTriple(text).map((part) =>
      termOf(nodeObject(parseTerm(part))),
    );
    this.subject = subject as NamedNode | BlankNode;
    this.predicate = predicate as NamedNode;
    this.object = object as Term;
  }

  equals(other: TermLike | null | undefined): boolean {
    if (other?.termType !== 'Quad') return false;
    const { subject, predicate, object, graph } = other as TermLike & QuadLike;
    return (
      this.subject.equals(subject) &&
      this.predicate.equals(predicate) &&
      this.object.equals(object) &&
      this.graph.equals(graph)
    );
  }
}
