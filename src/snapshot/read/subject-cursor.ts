import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { MergedScan } from '../runs/merged-scan.ts';
import { BY_GRAPH, BY_OBJECT, BY_SUBJECT, type Order } from '../runs/order.ts';
import type { SnapshotView } from './view.ts';

/** The quads whose subjects are visited: all of them, or those with these terms. */
export type SubjectRange =
  | { readonly kind: 'all' }
  | { readonly kind: 'object'; readonly predicate: TermId; readonly object: TermId }
  | { readonly kind: 'graph'; readonly graph: TermId };

/**
 * A subject with more rows than this is passed over by a search for the next one: a step must not
 * take as long as a resource is large.
 */
const MANY_ROWS = 1024;

/**
 * The subjects of a range of the quads that a view shows, ascending, each once. Blank nodes are
 * included.
 */
export class SubjectCursor {
  subject: TermId;
  readonly #scan: MergedScan;
  readonly #view: Pick<SnapshotView, 'sees'>;
  readonly #order: Order;
  readonly #a: TermId;
  readonly #b: TermId;
  readonly #isEmpty: boolean;

  /** Begins with the first subject at or after `from`, which is at least 1. */
  constructor(
    scan: MergedScan,
    view: Pick<SnapshotView, 'sees'>,
    { range, from }: { readonly range: SubjectRange; readonly from: TermId },
  ) {
    this.#scan = scan;
    this.#view = view;
    [this.#order, this.#a, this.#b] = orderOf(range);
    this.#isEmpty = hasNoQuads(range) || (range.kind === 'graph' && !view.sees(range.graph));
    this.subject = from - 1;
    if (!this.#isEmpty) this.#seek();
  }

  next(): boolean {
    if (this.#isEmpty) return false;
    for (let rows = 0; this.#scan.next(); rows++) {
      const subject = this.#scanned;
      if (subject > this.subject) {
        rows = 0;
        if (!this.#isVisible) continue;
        this.subject = subject;
        return true;
      }
      if (rows < MANY_ROWS) continue;
      this.#seek();
      rows = 0;
    }
    return false;
  }

  #seek(): void {
    this.#scan.startSubjects(this.#order, this.subject + 1, this.#a, this.#b);
  }

  get #scanned(): TermId {
    const scan = this.#scan;
    if (this.#order === BY_SUBJECT) return scan.a;
    return this.#order === BY_OBJECT ? scan.c : scan.b;
  }

  get #isVisible(): boolean {
    return this.#order === BY_GRAPH || this.#view.sees(this.#scan.d);
  }
}

function orderOf(range: SubjectRange): [order: Order, a: TermId, b: TermId] {
  switch (range.kind) {
    case 'all':
      return [BY_SUBJECT, NO_TERM, NO_TERM];
    case 'object':
      return [BY_OBJECT, range.object, range.predicate];
    case 'graph':
      return [BY_GRAPH, range.graph, NO_TERM];
  }
}

/** Whether a term is unknown, which a scan would take for any term. */
function hasNoQuads(range: SubjectRange): boolean {
  if (range.kind === 'object') return range.predicate === NO_TERM || range.object === NO_TERM;
  return range.kind === 'graph' && range.graph === NO_TERM;
}
