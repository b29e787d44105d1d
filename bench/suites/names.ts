/** In the order in which they run. */
export const suiteNames = [
  'evaluation',
  'micro',
  'affected',
  'formats',
  'bulk',
  'path',
  'fronts',
  'program',
  'batch',
  'indexing',
  'resources',
  'context',
  'ldp',
  'durability',
  'pause',
  'noisy',
  'sparql',
  'peers',
  'cluster',
  'scale',
] as const;

export type SuiteName = (typeof suiteNames)[number];

/** `scale` takes minutes, and gigabytes of memory and disk: it runs when it is named. */
export const defaultSuites: readonly SuiteName[] = suiteNames.filter((name) => name !== 'scale');
