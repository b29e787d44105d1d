/** Access control as configured. It is checked before anything else is started. */
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Config } from '../config.ts';
import { AccessPolicy } from '../http/middleware/access.ts';
import { AddressLimit } from '../http/middleware/address-limit.ts';
import { type Credential, parseCredential, parseCredentials } from '../http/middleware/credentials.ts';
import { KnownHosts } from '../http/middleware/known-hosts.ts';
import { OriginPolicy } from '../http/middleware/origin-policy.ts';
import { TrustedProxies } from '../http/middleware/trusted-proxies.ts';
import type { HttpServerOptions } from '../http/server/http-options.ts';

/** The size of a burst of requests, in seconds of the sustained rate. */
const BURST_SECONDS = 10;

export type AccessControl = Pick<
  HttpServerOptions,
  'access' | 'requests' | 'tls' | 'hosts' | 'origins' | 'allowOrigins' | 'proxies'
>;

/** Throws an error whose one-line message explains how to correct the configuration. */
export async function openAccessControl(config: Config): Promise<AccessControl> {
  const credentials = await readCredentials(config);
  if (credentials.length === 0 && !config.open && !isLoopback(config.host)) {
    throw new Error(
      `Refusing to listen on ${config.host} without credentials: set --credentials, or --open to allow unauthenticated access.`,
    );
  }
  const tls = await readTls(config);
  const { publicRead, failedLogins, requestRate } = config;
  return {
    access: new AccessPolicy(credentials, { publicRead, failedLogins }),
    ...browserRules(config, credentials.length === 0 || publicRead, tls ? 'https' : 'http'),
    ...(config.trustedProxy.length > 0 && { proxies: new TrustedProxies(config.trustedProxy) }),
    ...(requestRate > 0 && { requests: new AddressLimit(requestRate, requestRate * BURST_SECONDS) }),
    ...(tls && { tls }),
  };
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
    const text = await read(file);
    credentials.push(...explained(file, () => parseCredentials(text)));
    if (credentials.length === 0) throw new Error(`${file} contains no credentials.`);
  }
  for (const line of lines) credentials.push(explained('--credential', () => parseCredential(line)));
  const names = credentials.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`There are two credentials with the name ${twice}.`);
  return credentials;
}

async function readTls({ tlsCert, tlsKey }: Config): Promise<AccessControl['tls']> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined) {
    throw new Error('--tls-cert and --tls-key must be given together.');
  }
  const [cert, key] = [await read(tlsCert), await read(tlsKey)];
  explained(`${tlsCert} and ${tlsKey}`, () => createSecureContext({ cert, key }));
  return { certFile: tlsCert, keyFile: tlsKey };
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} can't be read: ${(error as Error).message}.`);
  }
}

function explained<T>(place: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Error(`${place} is invalid: ${(error as Error).message}.`, { cause: error });
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}
