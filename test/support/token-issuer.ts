import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import type { Scope } from './scope.ts';

export const ISSUER = 'https://issuer.example';
export const AUDIENCE = 'https://pathpool.example/api';

/** Undefined leaves out a claim that tokens usually have. */
export type TestClaims = Readonly<Record<string, unknown>>;

/** A key of an issuer. */
export interface IssuerKey {
  readonly publicKey: JWK;
  /** Signs a token with the usual claims and these. */
  sign(claims?: TestClaims, header?: Readonly<Record<string, unknown>>): Promise<string>;
}

export async function issuerKey(kid: string, alg = 'ES256', issuer = ISSUER): Promise<IssuerKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' };
  const sign = (claims: TestClaims = {}, header: Readonly<Record<string, unknown>> = {}) => {
    const now = Math.floor(Date.now() / 1000);
    const usual = { iss: issuer, aud: AUDIENCE, sub: 'anna', iat: now, exp: now + 600 };
    const protectedHeader = { alg, kid, typ: 'at+jwt', ...header };
    return new SignJWT({ ...usual, ...claims }).setProtectedHeader(protectedHeader).sign(privateKey);
  };
  return { publicKey: jwk, sign };
}

export function keySetOf(...keys: readonly IssuerKey[]): string {
  return JSON.stringify({ keys: keys.map(({ publicKey }) => publicKey) });
}

/** A server of an issuer on a free port of loopback. It ends with the scope. */
export async function issuerServer(scope: Scope, listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  scope.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
