import { chooseFront } from '../../src/http/fronts/choose-front.ts';
import { type FrontName, frontNames } from '../../src/http/fronts/known-fronts.ts';

/** Why uWebSockets.js can't be loaded, so that its tests are passed over; false where it can. */
export const withoutUws = (await chooseFront(undefined)).fallback ?? false;

export const availableFronts: readonly FrontName[] = withoutUws ? ['node'] : frontNames;

/**
 * The front of servers in the process of the tests. `PATHPOOL_FRONT=node` runs all tests on that
 * one. Otherwise it is uWebSockets.js where that can be loaded, as for users. Servers in processes
 * of their own read it by themselves.
 */
export const tested: { front: FrontName } = {
  front: frontNames.find((name) => name === process.env['PATHPOOL_FRONT']) ?? availableFronts[0]!,
};
