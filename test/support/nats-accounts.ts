import { randomUUID } from 'node:crypto';
import { nkeys } from '@nats-io/transport-node';

type Keys = ReturnType<typeof nkeys.createUser>;

const ALL = -1;
const limits = {
  ...{ subs: ALL, conn: ALL, leaf: ALL, imports: ALL, exports: ALL, data: ALL, payload: ALL },
  wildcards: true,
};
const withJetStream = { ...limits, mem_storage: ALL, disk_storage: ALL, streams: ALL, consumer: ALL };

/** One account of log servers that know no users, but the key of the operator who signs them. */
export class NatsAccount {
  readonly #operator = nkeys.createOperator();
  readonly #system = nkeys.createAccount();
  readonly #account = nkeys.createAccount();

  /** Lines for the configuration of log servers. */
  get configuration(): string[] {
    const operator = token(this.#operator, this.#operator, { type: 'operator' });
    const account = (keys: Keys, limits: object) =>
      `${keys.getPublicKey()}: "${token(this.#operator, keys, { type: 'account', limits })}"`;
    const accounts = [account(this.#system, limits), account(this.#account, withJetStream)];
    return [
      `operator: "${operator}"`,
      `system_account: ${this.#system.getPublicKey()}`,
      'resolver: MEMORY',
      `resolver_preload: { ${accounts.join(', ')} }`,
    ];
  }

  /** The text of a credentials file for a new user, valid for this time. */
  credentials(seconds = 3600): string {
    const user = nkeys.createUser();
    const unlimited = { subs: ALL, data: ALL, payload: ALL };
    const jwt = token(this.#account, user, { type: 'user', ...unlimited }, seconds);
    const seed = Buffer.from(user.getSeed()).toString();
    return [
      ...['-----BEGIN NATS USER JWT-----', jwt, '------END NATS USER JWT------', ''],
      ...['-----BEGIN USER NKEY SEED-----', seed, '------END USER NKEY SEED------', ''],
    ].join('\n');
  }
}

/** A JSON Web Token of NATS. */
function token(issuer: Keys, subject: Keys, claims: object, seconds = 3600): string {
  const now = Math.floor(Date.now() / 1000);
  const payload = {
    ...{ jti: randomUUID(), iat: now, exp: now + seconds, name: 'test' },
    ...{ iss: issuer.getPublicKey(), sub: subject.getPublicKey() },
    nats: { ...claims, version: 2 },
  };
  const signed = [{ typ: 'JWT', alg: 'ed25519-nkey' }, payload].map(encoded).join('.');
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
