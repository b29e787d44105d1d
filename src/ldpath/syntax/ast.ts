/**
 * The syntax tree: plain data, one record per construct (ldpath 1.8 and 8.2). Names are resolved:
 * properties, types and graphs are full IRIs, constants are canonical N-Triples. Parentheses stay
 * in the tree as `group`, since a field name can't be derived through them and warnings refer to
 * them.
 */

/** Offsets into the source, end exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Self extends Span {
  readonly kind: 'self';
}

/** `p`, or `^p` when inverse. */
export interface Property extends Span {
  readonly kind: 'property';
  readonly iri: string;
  readonly inverse: boolean;
}

/** `*`, `^*`; with exceptions: `*!(p | q)`. */
export interface Wildcard extends Span {
  readonly kind: 'wildcard';
  readonly inverse: boolean;
  readonly except: readonly string[];
}

/** `~p`: the property and everything that the data declare as its sub-properties. */
export interface SubProperty extends Span {
  readonly kind: 'sub-property';
  readonly iri: string;
  readonly inverse: boolean;
}

export interface Constant extends Span {
  readonly kind: 'constant';
  /** Canonical N-Triples of a literal. */
  readonly term: string;
}

export interface Path extends Span {
  readonly kind: 'path';
  /** At least two. */
  readonly steps: readonly Selector[];
}

/** Runs of one operator are one node; a change of operator nests to the right (1.7). */
export interface Union extends Span {
  readonly kind: 'union';
  readonly operands: readonly Selector[];
}

export interface Intersection extends Span {
  readonly kind: 'intersection';
  readonly operands: readonly Selector[];
}

export interface Group extends Span {
  readonly kind: 'group';
  readonly selector: Selector;
}

/** `s[t1][t2]`: the tests apply left to right. */
export interface Filtered extends Span {
  readonly kind: 'filtered';
  readonly selector: Selector;
  readonly tests: readonly Test[];
}

/** `s+`, or `s*` if reflexive. */
export interface Closure extends Span {
  readonly kind: 'closure';
  readonly selector: Selector;
  readonly reflexive: boolean;
}

/** `s?` and `s{min,max}`; `max` is Infinity if omitted. */
export interface Bounded extends Span {
  readonly kind: 'bounded';
  readonly selector: Selector;
  readonly min: number;
  readonly max: number;
}

/** `^(s)`: never contains tests, functions or constants. */
export interface Inverted extends Span {
  readonly kind: 'inverted';
  readonly selector: Selector;
}

export interface Call extends Span {
  readonly kind: 'call';
  readonly name: string;
  readonly arguments: readonly Selector[];
}

export type Selector =
  | Self
  | Property
  | Wildcard
  | SubProperty
  | Constant
  | Path
  | Union
  | Intersection
  | Group
  | Filtered
  | Closure
  | Bounded
  | Inverted
  | Call;

export interface Exists extends Span {
  readonly kind: 'exists';
  readonly path: Selector;
}

export interface Is extends Span {
  readonly kind: 'is';
  readonly selector: Selector;
  /** Canonical N-Triples. */
  readonly term: string;
}

export interface IsA extends Span {
  readonly kind: 'is-a';
  /** Canonical N-Triples. */
  readonly term: string;
}

/** `@en`, `@none`; `@en*` if a range. */
export interface LanguageTest extends Span {
  readonly kind: 'language';
  /** Lower case. */
  readonly tag: string;
  readonly range: boolean;
}

export interface DatatypeTest extends Span {
  readonly kind: 'datatype';
  readonly iri: string;
}

export interface TestCall extends Span {
  readonly kind: 'test-call';
  readonly name: string;
  readonly arguments: readonly Selector[];
}

export interface And extends Span {
  readonly kind: 'and';
  readonly operands: readonly Test[];
}

export interface Or extends Span {
  readonly kind: 'or';
  readonly operands: readonly Test[];
}

export interface Not extends Span {
  readonly kind: 'not';
  readonly test: Test;
}

export interface TestGroup extends Span {
  readonly kind: 'test-group';
  readonly test: Test;
}

export type Test = Exists | Is | IsA | LanguageTest | DatatypeTest | TestCall | And | Or | Not | TestGroup;

export interface Field extends Span {
  readonly name: string;
  /** The origin of the name; an unnamed field has one derived from its selector (3.6). */
  readonly naming: 'identifier' | 'iri' | 'derived';
  readonly selector: Selector;
  /** IRI of the transformer. */
  readonly type?: string;
  readonly configuration: ReadonlyMap<string, string>;
}

export interface Program {
  /** The prefixes declared in the program. */
  readonly prefixes: ReadonlyMap<string, string>;
  readonly graphs: readonly string[];
  /** Several `@filter` are a conjunction. */
  readonly filters: readonly Test[];
  readonly boost?: Selector;
  readonly fields: readonly Field[];
}
