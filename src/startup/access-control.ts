/** Access control as configured. It is checked before anything else is started. */
import { createHash } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type Config, settings } from '../config.ts';
import type { TlsFiles } from '../http/fronts/front.ts';
import { AccessPolicy, type Identification } from '../http/middleware/access.ts';
import { AddressLimit } from '../http/middleware/address-limit.ts';
import { type Credential, parseCredential, parseCredentials } from '../http/middleware/credentials.ts';
import type { TokenLogins } from '../http/middleware/jwt/token-logins.ts';
import { KnownHosts } from '../http/middleware/known-hosts.ts';
import { OriginPolicy } from '../http/middleware/origin-policy.ts';
import { GraphRules, parseGraphRules } from '../http/middleware/permissions/graph-rules.ts';
import { TrustedProxies } from '../http/middleware/trusted-proxies.ts';
import type { HttpServerOptions } from '../http/server/http-options.ts';
import type { Log } from '../log.ts';
import { explained, readText } from './setting-file.ts';

/** The size of a burst of requests, in seconds of the sustained rate. */
const BURST_SECONDS = 10;

export interface AccessControl
  extends Pick<HttpServerOptions, 'requests' | 'hosts' | 'origins' | 'allowOrigins' | 'proxies'> {
  readonly access: AccessPolicy;
  readonly tls?: TlsIdentity;
}

/** Certificate and private key. */
export interface TlsIdentity extends TlsFiles {
  /** Differs when the content of the files differs. */
  readonly digest: string;
}

/** What clients are identified by, what they may do, and what the server is identified by. */
interface Identities extends Identification {
  readonly tls: TlsIdentity | undefined;
}

/** Throws an error whose one-line message explains how to correct the configuration. */
export async function openAccessControl(config: Config, log: Log): Promise<AccessControl> {
  const { credentials, tokens, tls, rules } = await readIdentities(config, log);
  const { publicRead, failedLogins, requestRate } = config;
  const access = new AccessPolicy({ credentials, tokens, rules }, { publicRead, failedLogins });
  if (!access.isGuarded && !config.open && !isLoopback(config.host)) {
    throw new Error(
      `Refusing to listen on ${config.host} without credentials: set --credentials, or --open to allow unauthenticated access.`,
    );
  }
  return {
    access,
    ...browserRules(config, !access.isGuarded || publicRead, tls ? 'https' : 'http'),
    ...(config.trustedProxy.length > 0 && { proxies: new TrustedProxies(config.trustedProxy) }),
    ...(requestRate > 0 && { requests: new AddressLimit(requestRate, requestRate * BURST_SECONDS) }),
    ...(tls && { tls }),
  };
}

/**
 * Reads credentials, certificate and keys. `before`: what has verified tokens until now. Throws an
 * error that explains what is wrong; then nothing has changed.
 */
export async function readIdentities(config: Config, log: Log, before?: TokenLogins): Promise<Identities> {
  const credentials = await readCredentials(config);
  const tls = await readTls(config);
  const rules = await readGraphRules(config);
  // Most servers need not load what verifies tokens.
  const tokens = concernsTokens(config)
    ? await (await import('./token-access.ts')).openTokens(config, {
        log,
        noted: rules?.claims ?? [],
        before,
      })
    : undefined;
  return { credentials, tls, tokens, rules };
}

/** Whether anything is set about tokens: then all of it must be right. */
function concernsTokens(config: Config): boolean {
  const names = ['jwtIssuer', 'jwtAudience', 'jwtJwks', 'jwtRead', 'jwtWrite'] as const;
  return names.some((name) => JSON.stringify(config[name]) !== JSON.stringify(settings[name].default));
}

/**
 * Returns the rules against attacks through browsers. Host names are checked only where requests
 * may succeed without credentials: a browser sends none to a name that was rebound to this server.
 */
function browserRules(
  { base, host, allowHost, allowOrigin }: Config,
  withoutCredentials: boolean,
  scheme: 'http' | 'https',
): Pick<AccessControl, 'hosts' | 'origins' | 'allowOrigins'> {
  const hosts = new KnownHosts({ base, listen: host, allow: allowHost });
  const origins = new OriginPolicy({ base, scheme, hosts, allow: allowOrigin });
  return { ...(withoutCredentials && { hosts }), origins, allowOrigins: allowOrigin };
}

async function readCredentials({ credentials: file, credential: lines }: Config): Promise<Credential[]> {
  const credentials = [];
  if (file !== undefined) {
    const text = await readText(file);
    credentials.push(...explained(file, () => parseCredentials(text)));
    if (credentials.length === 0) throw new Error(`${file} contains no credentials.`);
  }
  for (const line of lines) credentials.push(explained('--credential', () => parseCredential(line)));
  const names = credentials.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`There are two credentials with the name ${twice}.`);
  return credentials;
}

async function readGraphRules({ access: file }: Config): Promise<GraphRules | undefined> {
  if (file === undefined) return undefined;
  const text = await readText(file);
  return new GraphRules(explained(file, () => parseGraphRules(text)));
}

async function readTls({ tlsCert, tlsKey }: Config): Promise<TlsIdentity | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Error('--tls-cert and --tls-key must be given together.');
  }
  const [cert, key] = [await readText(tlsCert), await readText(tlsKey)];
  explained(`${tlsCert} and ${tlsKey}`, () => createSecureContext({ cert, key }));
  const digest = createHash('sha256').update(cert).update('\0').update(key).digest('base64');
  return { certFile: tlsCert, keyFile: tlsKey, digest };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
