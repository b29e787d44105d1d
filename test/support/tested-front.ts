import { chooseFront } from '../../src/http/fronts/choose-front.ts';
import { type FrontName, frontNames } from '../../src/http/fronts/known-fronts.ts';

/**
 * The front of servers in the process of the tests. `PATHPOOL_FRONT=node` runs all tests on that
 * one; servers in processes of their own read it by themselves.
 */
export const tested: { front: FrontName } = {
  front: frontNames.find((name) => name === process.env['PATHPOOL_FRONT']) ?? (await usual()),
};

/** uWebSockets.js where it can be loaded, as for users. */
async function usual(): Promise<FrontName> {
  return (await chooseFront(undefined)).fallback === undefined ? 'uws' : 'node';
}
