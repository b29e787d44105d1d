/** Bearer tokens as configured. Loaded only where they are: this loads jose. */
import { type Config, isUrl } from '../config.ts';
import { fixedKeySet, type KeySet } from '../http/middleware/jwt/key-set.ts';
import {
  type KeySetLog,
  type KeySource,
  keyUrl,
  RemoteKeySet,
} from '../http/middleware/jwt/remote-key-set.ts';
import { type NotedClaim, TokenLogins, type TokenRules } from '../http/middleware/jwt/token-logins.ts';
import { explained, readText } from './setting-file.ts';

interface TokenParts {
  readonly log: KeySetLog;
  readonly noted: readonly NotedClaim[];
  /**
   * What has verified tokens until now. It is returned if nothing changes, so that the keys that it
   * has fetched are used until new ones are there.
   */
  readonly before?: TokenLogins | undefined;
}

/**
 * Returns what verifies tokens. Reads the keys from a file, or begins to fetch them. Throws an
 * error that says how to correct the settings.
 */
export async function openTokens(config: Config, { log, noted, before }: TokenParts): Promise<TokenLogins> {
  const rules = { ...rulesOf(config), noted };
  const source = sourceOf(config, rules.issuer);
  if (typeof source === 'string') {
    const text = await readText(source);
    return new TokenLogins(
      rules,
      explained(source, () => fixedKeySet(text)),
      config.failedLogins,
    );
  }
  const isSame = before?.keys instanceof RemoteKeySet && before.keys.isFrom(source);
  const keys: KeySet = isSame ? before.keys : new RemoteKeySet(source, log);
  keys.refresh();
  if (isSame && JSON.stringify(before.rules) === JSON.stringify(rules)) return before;
  return new TokenLogins(rules, keys, config.failedLogins);
}

function rulesOf(config: Config): Omit<TokenRules, 'noted'> {
  const { jwtIssuer: issuer, jwtAudience: audience, jwtRead: read, jwtWrite: write } = config;
  if (issuer === undefined) {
    throw new Error('--jwt-audience, --jwt-jwks, --jwt-read and --jwt-write need --jwt-issuer.');
  }
  if (audience.length > 0) return { issuer, audience, read, write };
  throw new Error(
    '--jwt-issuer needs --jwt-audience: otherwise tokens for other services would be accepted too.',
  );
}

/** Returns a file name, or what is fetched. */
function sourceOf({ jwtJwks: keys }: Config, issuer: string): KeySource | string {
  if (keys !== undefined && !isUrl(keys)) return keys;
  const url = keyUrl(keys ?? issuer);
  if (!url) {
    const flag = keys === undefined ? '--jwt-issuer (without --jwt-jwks)' : '--jwt-jwks';
    throw new Error(`${flag} must be an https URL; http is accepted on loopback only.`);
  }
  return keys === undefined ? { kind: 'discovery', issuer } : { kind: 'keys', url };
}
