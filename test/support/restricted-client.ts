import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashPassword } from '../../src/http/middleware/password.ts';
import type { Scope } from './scope.ts';
import { BASE } from './server-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** What is needed of a server. */
interface Served {
  readonly url: string;
}

export interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A response without what may differ from one time to another. */
export interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };

/** Returns the arguments of a server in memory with the writers `root` and `anna`, and rules. */
export async function permissionArgs(scope: Scope, rules: readonly string[]): Promise<string[]> {
  const file = join(await temporaryDirectory(scope), 'access');
  writeFileSync(file, ['write user:root *', ...rules].join('\n'));
  const users = await Promise.all(
    ['root', 'anna'].map(async (name) => `write ${name} ${await hashPassword(name, cheap)}`),
  );
  const credentials = users.flatMap((user) => ['--credential', user]);
  return ['--memory', '--threads', '1', '--access', file, ...credentials];
}

/** Sends requests as a writer. A target begins with a slash, or with the base. */
export function as(name: 'root' | 'anna', server: Served) {
  const Authorization = `Basic ${Buffer.from(`${name}:${name}`).toString('base64')}`;
  const send = (target: string, { method = 'GET', headers, body }: Sent = {}) => {
    const path = target.startsWith(BASE) ? target.slice(BASE.length) : target;
    const init = { method, headers: { Authorization, ...headers }, redirect: 'manual' as const };
    return fetch(server.url + path, body === undefined ? init : { ...init, body });
  };
  const see = async (target: string, sent?: Sent): Promise<Seen> => {
    const response = await send(target, sent);
    const headers = [...response.headers]
      .filter(([header]) => !['date', 'last-modified', 'pathpool-commit'].includes(header))
      .map(([header, value]) => `${header}: ${value}`);
    return { status: response.status, headers, body: await response.text() };
  };
  return {
    send,
    see,
    /** Sends a request that must have a status. */
    async expect(status: number, target: string, sent?: Sent): Promise<Response> {
      const response = await send(target, sent);
      const { url } = response;
      assert.equal(response.status, status, `${sent?.method} ${url}: ${await response.clone().text()}`);
      return response;
    },
  };
}

export type RestrictedClient = ReturnType<typeof as>;

/** Requires that changes alter no byte of the responses to requests. */
export async function requireUnaltered(
  client: RestrictedClient,
  requests: readonly (readonly [target: string, sent?: Sent])[],
  changes: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const all = async () => {
    const seen: Record<string, Seen> = {};
    for (const [target, sent] of requests) {
      seen[`${sent?.method ?? 'GET'} ${target} ${JSON.stringify(sent?.headers ?? {})}`] = await client.see(
        target,
        sent,
      );
    }
    return seen;
  };
  const before = await all();
  for (const [index, change] of changes.entries()) {
    await change();
    assert.deepEqual(await all(), before, `after change ${index + 1}`);
  }
}
