import { randomBytes } from 'node:crypto';

/**
 * Who a data set is. The name goes into entity tags, so that tags of a data set that was wiped, or kept in memory
 * only, never come true for another one (http-api G-72).
 */
export interface Identity {
  /** Eight letters and digits. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export function newIdentity(now: number): Identity {
  const name = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(8, '0')
    .slice(-8);
  return { name, created: now };
}

/** The `<state>` of an entity tag (http-api G-71): letters and digits only. */
export function stateOf(identity: Identity, sequence: number): string {
  return identity.name + sequence.toString(36);
}
