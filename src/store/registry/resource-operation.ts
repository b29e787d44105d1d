import type { GraphAccess } from '../../base/graph-access.ts';
import type { Precondition } from '../../base/precondition.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { StoredContent } from './resource-registry.ts';

/**
 * One change to a resource (http-api section 3). `resource` is an absolute IRI. Graphs named
 * `protectedSpace`, or that followed by a slash and more, are never changed. `access`: what the
 * client may see and write; absent if that is everything. What it does not see stays as it is, and
 * counts as missing. An operation that would change another graph that it may not write is the
 * error `forbidden`, or `graph-not-found` if the client does not see the graph.
 */
export type ResourceOperation =
  /** Adds a resource that does not exist to the registry. */
  | { readonly kind: 'register'; readonly resource: string; readonly access?: GraphAccess }
  /**
   * Makes the description equal to the triples of the block that are about the resource. New
   * triples are added to `defaultGraph`. A resource that would not come into existence by that is
   * added to the registry.
   */
  | {
      readonly kind: 'describe';
      readonly resource: string;
      readonly block: QuadBlock;
      readonly defaultGraph: string;
      readonly protectedSpace: string;
      readonly access?: GraphAccess;
    }
  /** Removes the description. */
  | {
      readonly kind: 'undescribe';
      readonly resource: string;
      readonly protectedSpace: string;
      readonly access?: GraphAccess;
    }
  /** Replaces the content; null removes it. */
  | { readonly kind: 'content'; readonly resource: string; readonly content: StoredContent | null }
  /** Removes the resource. With `keep`, the graph of that name remains, empty. */
  | {
      readonly kind: 'erase';
      readonly resource: string;
      readonly keep: boolean;
      readonly protectedSpace: string;
      readonly access?: GraphAccess;
    };

/**
 * A precondition on a resource's description or content, or on whichever of the two a client has
 * seen. It is checked when the transaction's turn comes.
 */
export interface ResourcePrecondition extends Precondition {
  readonly resource: string;
  readonly aspect: 'description' | 'content' | 'either';
  /** What the client sees; absent if it sees everything. */
  readonly visible?: IriPatterns;
}
