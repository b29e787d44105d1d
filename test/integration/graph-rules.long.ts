import { describe, it } from 'node:test';
import { withGraphRules } from '../support/graph-rules.ts';
import { checkRound, randomFrom, rules, users } from '../support/non-interference.ts';
import { sharedServer } from '../support/shared-server.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 300);
const SEED = Number(process.env['SEED'] ?? Date.now() % 2 ** 32);

describe('what a client may not read', () => {
  const server = sharedServer(withGraphRules(rules, users, '--threads', '1', '--sparql-threads', '2'));

  it(`G-161: changes no byte of any response in ${ROUNDS} rounds with the seed ${SEED}`, async () => {
    const random = randomFrom(SEED);
    for (let round = 0; round < ROUNDS; round++) await checkRound(server.url, random);
  });
});
