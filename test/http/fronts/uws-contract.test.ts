/** The contract of fronts, on uWebSockets.js. */
import { test } from 'node:test';
import { tested, withoutUws } from '../../support/tested-front.ts';

if (withoutUws) test('the contract of fronts, on uWebSockets.js', { skip: withoutUws });
else {
  tested.front = 'uws';
  await import('../../contracts/http-server.contract.ts');
  await import('../../contracts/slow-responses.contract.ts');
}
