import type { Condition } from '../condition.ts';
import type { QuadBlock } from '../graph/quad-block.ts';
import type { LdpModel, MembershipConfiguration } from '../ldp/model.ts';
import type { StoredContent } from './resource-books.ts';

/**
 * One change to the LDP space (http-api section 5). `target` is an absolute URI in it. Dates, entity tags, managed
 * triples, containment, membership and tombstones follow from it in the same transaction. Errors: `gone` (the target was
 * deleted), `resource-not-found`, and those named.
 */
export type LdpOperation =
  /**
   * Creates what does not exist. `block`: its user triples, without any managed ones; for a `binary` those of its
   * description, of which there are none yet. With `ancestors` missing ones become Basic Containers, else a missing parent
   * is `resource-not-found`. Errors: `parent-not-container`, `parent-gone`, and `precondition-failed` when it exists.
   */
  | {
      readonly kind: 'ldp-create';
      readonly target: string;
      readonly model: LdpModel;
      /** Of Direct and Indirect Containers; null else. */
      readonly configuration: MembershipConfiguration | null;
      readonly block: QuadBlock;
      /** Of a `binary`; null else. */
      readonly content: StoredContent | null;
      readonly ancestors: boolean;
    }
  /** Creates the root container of the LDP space, where there is none. `label`: its `rdfs:label`. */
  | { readonly kind: 'ldp-root'; readonly target: string; readonly label: string }
  /** The user triples are those of the block, and no others, afterwards. */
  | { readonly kind: 'ldp-replace'; readonly target: string; readonly block: QuadBlock }
  /** Removes the user triples of `removals`, then adds those of `additions`. */
  | {
      readonly kind: 'ldp-edit';
      readonly target: string;
      readonly additions: QuadBlock;
      readonly removals: QuadBlock;
    }
  /** Puts other content into the place of what a `binary` has. */
  | { readonly kind: 'ldp-content'; readonly target: string; readonly content: StoredContent }
  /** Removes the resource, and the description of a `binary`, for good. Error `container-not-empty`. */
  | { readonly kind: 'ldp-delete'; readonly target: string };

/** What must hold of a resource of the LDP space; its states are those of entity tags (see `ldpState`). */
export interface LdpPrecondition extends Condition {
  readonly target: string;
}
