import type { Place } from '../syntax/source-text.ts';
import type { TracedNode } from './node-table.ts';

/** How the results of a program came about (http-api 4.4). */
export interface Trace {
  /** The first one is the start resource. */
  readonly nodes: readonly TracedNode[];
  readonly places: readonly TraceStep[];
  /** In the order in which they were read first. */
  readonly edges: readonly TraceEdge[];
  readonly fields: readonly TraceField[];
  /** Whether something was left out. */
  readonly truncated: boolean;
}

/** A construct of the program that has read triples. */
interface TraceStep extends Place {
  readonly field: string;
  readonly test: boolean;
}

/** A triple that was read, from the node where the step began to the one where it ended. */
export interface TraceEdge {
  readonly from: number;
  readonly to: number;
  readonly predicate: string;
  /** True if the step went from the object to the subject. */
  readonly inverse: boolean;
  readonly field: string;
  /** Index in `places`. */
  readonly step: number;
  /** Whether it is on a way to a result of its field, or to an argument of a function there. */
  readonly used: boolean;
}

interface TraceField {
  readonly name: string;
  /** The selected terms that the trace has as nodes, before conversion. */
  readonly nodes: readonly number[];
  /** The other ones: constants, and what functions made. */
  readonly values: readonly TracedNode[];
}

export interface TraceLimits {
  readonly nodes: number;
  readonly edges: number;
}
