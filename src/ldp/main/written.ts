import type { LdpKind } from '../model/kinds.ts';

/** What a write has made of a resource of the LDP space. */
export interface LdpWritten {
  readonly uri: string;
  readonly kind: LdpKind;
  readonly created: boolean;
  /** The `<state>` of its entity tags. */
  readonly state: string;
}
