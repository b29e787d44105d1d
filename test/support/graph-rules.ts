import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashPassword } from '../../src/http/middleware/password.ts';
import type { Scope } from './scope.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A cheap hash: these tests are not about passwords. */
const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };

/** Users and their roles. The password of each is its name. */
export type Users = Readonly<Record<string, 'read' | 'write'>>;

/** Returns what makes the arguments of a server with rules about graphs and with users. */
export function withGraphRules(rules: readonly string[], users: Users, ...more: readonly string[]) {
  return async (scope: Scope): Promise<string[]> => {
    const file = join(await temporaryDirectory(scope), 'access');
    writeFileSync(file, `${rules.join('\n')}\n`);
    const credentials = Object.entries(users).map(async ([name, role]) => {
      return ['--credential', `${role} ${name} ${await hashPassword(name, cheap)}`];
    });
    return ['--memory', '--access', file, ...more, ...(await Promise.all(credentials)).flat()];
  };
}

/** The header field with which a user logs in. */
export function login(name: string): { readonly Authorization: string } {
  return { Authorization: `Bearer ${name}.${name}` };
}
