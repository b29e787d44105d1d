import type { QuadBlock } from '../../../rdf/model/quad-block.ts';
import type { SparqlDataset } from '../../request.ts';

/** An operation of a parsed update. Graph names are absolute IRIs. */
export type UpdateOperation =
  | { readonly kind: 'insert-data'; readonly data: QuadBlock }
  | { readonly kind: 'delete-data'; readonly data: QuadBlock }
  | ModifyOperation
  | { readonly kind: 'clear' | 'drop'; readonly silent: boolean; readonly target: ClearTarget }
  | { readonly kind: 'create'; readonly silent: boolean; readonly graph: string }
  | TransferOperation
  /** `LOAD SILENT`. `LOAD` without `SILENT` is rejected, because nothing is ever fetched. */
  | { readonly kind: 'nothing' };

export type DataOperation = Exclude<UpdateOperation, ModifyOperation>;

/** `DELETE`, `INSERT` and `DELETE WHERE`. */
export interface ModifyOperation {
  readonly kind: 'modify';
  readonly removals: readonly TemplateQuad[];
  readonly additions: readonly TemplateQuad[];
  /** The graph of template quads that name none, and the default graph of WHERE without `using`. */
  readonly withGraph: string | undefined;
  readonly using: SparqlDataset | undefined;
  /** The `PREFIX` and `BASE` declarations that the pattern needs. */
  readonly prologue: string;
  /** A group graph pattern including its braces. */
  readonly where: string;
  /** Returns the position of `where` in the update. It scans all of the text before it. */
  readonly place: () => { readonly line: number; readonly column: number };
  /** Graphs that the pattern names. */
  readonly named: readonly string[];
  /**
   * The number of triple patterns, if the pattern has nothing else and no paths; otherwise
   * undefined.
   */
  readonly triplePatterns: number | undefined;
}

export interface TransferOperation {
  readonly kind: 'copy' | 'move' | 'add';
  readonly silent: boolean;
  /** Undefined for `DEFAULT`. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export type ClearTarget = { readonly graph: string } | 'default' | 'named' | 'all';

/** A quad of a template; `graph` is undefined if it names none. */
export interface TemplateQuad {
  readonly subject: TemplateTerm;
  readonly predicate: TemplateTerm;
  readonly object: TemplateTerm;
  readonly graph: TemplateTerm | undefined;
}

export type TemplateTerm =
  /** In canonical N-Triples form, with literals as written. */
  | { readonly kind: 'constant'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string }
  /** A new node for each solution. */
  | { readonly kind: 'blank'; readonly label: string };

/** Whether an operation can be applied without evaluating a pattern. */
export function isOnData(operation: UpdateOperation): operation is DataOperation {
  return operation.kind !== 'modify';
}
