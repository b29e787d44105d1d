/**
 * Terms and quads as the data model specification of RDF/JS has them: what is read of those of
 * other libraries, and those that this one returns.
 */

/** A term of any library; `termType` says which of the other members it has. */
export interface TermLike {
  readonly termType: string;
  readonly value: string;
}

export interface QuadLike {
  readonly subject: TermLike;
  readonly predicate: TermLike;
  readonly object: TermLike;
  readonly graph: TermLike;
}

interface Comparable {
  equals(other: TermLike | null | undefined): boolean;
}

export interface NamedNode extends Comparable {
  readonly termType: 'NamedNode';
  readonly value: string;
}

export interface BlankNode extends Comparable {
  readonly termType: 'BlankNode';
  /** The label, without `_:`. */
  readonly value: string;
}

export interface Literal extends Comparable {
  readonly termType: 'Literal';
  readonly value: string;
  /** Empty without one. */
  readonly language: string;
  readonly direction: 'ltr' | 'rtl' | '';
  readonly datatype: NamedNode;
}

export interface DefaultGraph extends Comparable {
  readonly termType: 'DefaultGraph';
  readonly value: '';
}

/** A triple term. */
export interface Triple extends Comparable {
  readonly termType: 'Quad';
  readonly value: '';
  readonly subject: NamedNode | BlankNode;
  readonly predicate: NamedNode;
  readonly object: Term;
  readonly graph: DefaultGraph;
}

export type Term = NamedNode | BlankNode | Literal | Triple;
