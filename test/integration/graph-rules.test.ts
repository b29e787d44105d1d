import { describe, it } from 'node:test';
import { withGraphRules } from '../support/graph-rules.ts';
import { checkRound, randomFrom, rules, users } from '../support/non-interference.ts';
import { sharedServer } from '../support/shared-server.ts';

describe('what a client may not read', () => {
  const server = sharedServer(withGraphRules(rules, users, '--threads', '1', '--sparql-threads', '2'));

  it('G-161: changes no byte of any response when it changes', async () => {
    const random = randomFrom(1);
    for (let round = 0; round < 5; round++) await checkRound(server.url, random);
  });
});
