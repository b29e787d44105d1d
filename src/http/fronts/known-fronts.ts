/** The HTTP libraries: uWebSockets.js, and the one that is part of Node.js. */
export const frontNames = ['uws', 'node'] as const;
export type FrontName = (typeof frontNames)[number];
