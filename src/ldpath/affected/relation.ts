/**
 * What a selector selects, as far as it matters for finding the way back from a selected node to
 * the nodes at which the selector was evaluated. A relation may lead back to more nodes than a
 * selector needs: tests are left out.
 */

/** Which predicates a step follows. */
export type Predicates =
  | { readonly kind: 'any' }
  | { readonly kind: 'one'; readonly iri: string }
  /** The property and its declared sub-properties. */
  | { readonly kind: 'below'; readonly iri: string }
  /** `rdf:_1`, `rdf:_2`, ... */
  | { readonly kind: 'members' };

export interface Step {
  readonly kind: 'step';
  readonly predicates: Predicates;
  /** From subjects to objects. */
  readonly forward: boolean;
  /** Whether a backward step starts from literals too (Q-E3). */
  readonly fromLiterals: boolean;
}

/** Terms that have no way back, such as those that a function makes. */
export interface Untraceable {
  readonly kind: 'untraceable';
  /** What selects them, for people. */
  readonly by: string;
  readonly onlyLiterals: boolean;
  /** Offset in the source. */
  readonly at: number;
}

export type Relation =
  | { readonly kind: 'self' }
  | { readonly kind: 'nothing' }
  | Step
  /** Leads from every node to one literal, in canonical N-Triples. */
  | { readonly kind: 'constant'; readonly term: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Relation[] }
  | { readonly kind: 'either'; readonly parts: readonly Relation[] }
  /** From none to `most` times. */
  | { readonly kind: 'repeat'; readonly part: Relation; readonly most: number }
  | Untraceable;

export function forwardStep(iri: string): Step {
  return { kind: 'step', predicates: { kind: 'one', iri }, forward: true, fromLiterals: false };
}
