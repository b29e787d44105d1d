import { type FrontName, frontNames } from '../../src/http/fronts/front.ts';

/**
 * The front of servers in the process of the tests. `PATHPOOL_FRONT=node` runs all tests on that
 * one; servers in processes of their own read it by themselves.
 */
export const tested: { front: FrontName } = {
  front: frontNames.find((name) => name === process.env['PATHPOOL_FRONT']) ?? 'uws',
};
