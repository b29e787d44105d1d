import type { Fields, NodeObject } from './result-types.ts';

/** A part of a text. */
export interface Place {
  /** 1-based. */
  readonly line: number;
  /** 1-based, in code points. */
  readonly column: number;
  /** 0-based, in UTF-16 code units: an index of the string. */
  readonly offset: number;
  /** In UTF-16 code units. */
  readonly length: number;
}

/** An error or a warning; its length may be unknown. */
export interface Finding extends Omit<Place, 'length'>, Partial<Pick<Place, 'length'>> {
  readonly code: string;
  readonly detail: string;
}

/** What the compiler says of a text (http-api 4.14). */
export interface CheckReport {
  /** The first error, if there is one; then all else is empty. */
  readonly errors: readonly Finding[];
  readonly warnings: readonly Finding[];
  /** The fields that count. */
  readonly fields: readonly (Place & { readonly name: string })[];
  /** Whether the program has `@filter` and `@boost`. */
  readonly filter: boolean;
  readonly boost: boolean;
}

/** A result, and how it came about (http-api 4.4). */
export interface TracedResult {
  readonly result: Fields;
  readonly warnings: readonly (Place & { readonly code: string; readonly message: string })[];
  /** Values that did not convert or that a function could not use. */
  readonly skipped: readonly { readonly field: string; readonly message: string }[];
  /** Values of `@filter` and `@boost`, if the program has them. */
  readonly filter?: boolean;
  readonly boost?: number;
  readonly trace: Trace;
}

export interface Trace {
  /** The first one is the start resource. */
  readonly nodes: readonly TracedNode[];
  /** The constructs of the program that have read triples. */
  readonly places: readonly (Place & { readonly field: string; readonly test: boolean })[];
  readonly edges: readonly TraceEdge[];
  readonly fields: readonly {
    readonly name: string;
    /** The selected terms that are nodes, as indexes. */
    readonly nodes: readonly number[];
    /** The other ones. */
    readonly values: readonly TracedNode[];
  }[];
  /** Whether something was left out. */
  readonly truncated: boolean;
  readonly steps: number;
  readonly milliseconds: number;
  /** The limits of these. */
  readonly budget: { readonly steps: number; readonly milliseconds: number };
}

export interface TracedNode extends NodeObject {
  /** True if the value is only the beginning. */
  readonly cut?: true;
}

/** A triple that was read, from the node where the step began to the one where it ended. */
export interface TraceEdge {
  /** Indexes of nodes. */
  readonly from: number;
  readonly to: number;
  readonly predicate: string;
  /** True if the step went from the object to the subject. */
  readonly inverse: boolean;
  readonly field: string;
  /** Index of a place. */
  readonly step: number;
  /** Whether it is on a way to a result, or to an argument of a function. */
  readonly used: boolean;
}
