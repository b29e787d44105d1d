import type { GraphAccess } from '../../base/graph-access.ts';
import type { Precondition } from '../../base/precondition.ts';
import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { InteractionModel, MembershipConfiguration } from '../model/kinds.ts';

/**
 * One change to the LDP space (http-api section 5). `target` is an absolute URI in it. Dates,
 * entity tags, managed triples, containment, membership and tombstones are updated in the same
 * transaction. Errors: `gone` (the target was deleted), `resource-not-found`, and those listed for
 * each kind.
 */
export type LdpOperation =
  /**
   * Creates a resource. `block`: its user triples, without managed ones; for a `binary`, those of
   * its description, which is still empty. With `ancestors`, missing ancestors are created as Basic
   * Containers; otherwise a missing parent is the error `resource-not-found`. Errors:
   * `parent-not-container`, `parent-gone`, `precondition-failed` if the target exists, and
   * `forbidden` if it would add membership triples to a resource that the client may not write.
   */
  | {
      readonly kind: 'ldp-create';
      readonly target: string;
      readonly model: InteractionModel;
      /** For Direct and Indirect Containers; otherwise null. */
      readonly configuration: MembershipConfiguration | null;
      readonly block: QuadBlock;
      /** For a `binary`; otherwise null. */
      readonly content: StoredContent | null;
      readonly ancestors: boolean;
      /** Absent if the client may write everything. */
      readonly client?: LdpClient;
    }
  /** Creates the root container of the LDP space if there is none. `label`: its `rdfs:label`. */
  | { readonly kind: 'ldp-root'; readonly target: string; readonly label: string }
  /** Replaces the user triples by those of the block. */
  | { readonly kind: 'ldp-replace'; readonly target: string; readonly block: QuadBlock }
  /** Removes the user triples of `removals`, then adds those of `additions`. */
  | {
      readonly kind: 'ldp-edit';
      readonly target: string;
      readonly additions: QuadBlock;
      readonly removals: QuadBlock;
    }
  /** Replaces the content of a `binary`. */
  | { readonly kind: 'ldp-content'; readonly target: string; readonly content: StoredContent }
  /**
   * Removes the resource, and the description of a `binary`, permanently. Errors:
   * `container-not-empty`, and `forbidden` if it would remove membership triples from a resource
   * that the client may not write.
   */
  | {
      readonly kind: 'ldp-delete';
      readonly target: string;
      /** Absent if the client may write everything. */
      readonly client?: LdpClient;
    };

/** A client that may not write everything. */
export interface LdpClient {
  readonly access: GraphAccess;
  /** The root container: only below it, membership triples are part of what they are about. */
  readonly space: string;
}

/**
 * A precondition on a resource of the LDP space; its states are those of entity tags (see
 * `ldpState`).
 */
export interface LdpPrecondition extends Precondition {
  readonly target: string;
}
