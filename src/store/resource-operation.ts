import type { Condition } from '../condition.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import type { StoredContent } from './resource-books.ts';

/**
 * One change to a resource (http-api section 3). `resource` is an absolute IRI. Graphs whose names begin with
 * `protectedSpace` and a slash, or are just that, are never changed.
 */
export type ResourceOperation =
  /** Puts a resource that does not exist into the existence register. */
  | { readonly kind: 'register'; readonly resource: string }
  /**
   * Makes the description equal to those triples of the block that concern the resource. What is not there yet
   * goes to `defaultGraph`. A resource that would not come to exist by that is registered.
   */
  | {
      readonly kind: 'describe';
      readonly resource: string;
      readonly block: QuadBlock;
      readonly defaultGraph: string;
      readonly protectedSpace: string;
    }
  /** Removes the description. */
  | { readonly kind: 'undescribe'; readonly resource: string; readonly protectedSpace: string }
  /** Puts the content into the place of what there was; null for none. */
  | { readonly kind: 'content'; readonly resource: string; readonly content: StoredContent | null }
  /** Removes the resource. With `keep` the graph of that name goes on existing, empty. */
  | {
      readonly kind: 'erase';
      readonly resource: string;
      readonly keep: boolean;
      readonly protectedSpace: string;
    };

/** What must hold of a resource's description, or of its content, when the transaction's turn comes. */
export interface ResourcePrecondition extends Condition {
  readonly resource: string;
  readonly aspect: 'description' | 'content';
}
