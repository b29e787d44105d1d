/** What a token must claim to have a role. */
export interface ClaimRule {
  /** Name of a claim, or a JSON Pointer (RFC 6901) to a nested one. */
  readonly claim: string;
  /** The value that the claim must have or contain; undefined if any but an empty one will do. */
  readonly value: string | undefined;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Claims whose value is a list of words (RFC 8693 section 4.2); some providers say `scp`. */
const wordLists: ReadonlySet<string> = new Set(['scope', 'scp']);

/** Reads `CLAIM=VALUE` or `CLAIM`; undefined if it is neither. */
export function parseClaimRule(text: string): ClaimRule | undefined {
  const [, claim = '', value] = /^([^=]+)(?:=(.+))?$/s.exec(text) ?? [];
  return claim === '' || /^\/$|~(?![01])/.test(claim) ? undefined : { claim, value };
}

export function matchesRule(claims: Claims, { claim, value }: ClaimRule): boolean {
  const found = claimOf(claims, claim);
  if (value === undefined) return !isEmpty(found);
  if (Array.isArray(found)) return found.includes(value);
  if (typeof found === 'string' && wordLists.has(claim)) return found.split(' ').includes(value);
  return (typeof found === 'string' || typeof found === 'boolean') && String(found) === value;
}

/** Providers also say in this way that a user has no role. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === false || value === '';
}

function claimOf(claims: Claims, claim: string): unknown {
  if (!claim.startsWith('/')) return memberOf(claims, claim);
  let found: unknown = claims;
  for (const token of claim.slice(1).split('/')) {
    found = memberOf(found, token.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return found;
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;
}
