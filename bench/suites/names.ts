/** In the order in which they run. */
export const suiteNames = [
  'evaluation',
  'micro',
  'bulk',
  'path',
  'program',
  'batch',
  'resources',
  'context',
  'ldp',
  'durability',
  'pause',
  'noisy',
  'peers',
] as const;

export type SuiteName = (typeof suiteNames)[number];
