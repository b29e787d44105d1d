import type { LdpKind } from '../model/kinds.ts';

/** The result of a write to an LDP resource. */
export interface LdpWritten {
  readonly uri: string;
  readonly kind: LdpKind;
  readonly created: boolean;
  /** The `<state>` of its entity tags. */
  readonly state: string;
}
