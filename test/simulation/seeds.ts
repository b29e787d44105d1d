/**
 * Seeds that once failed, with the bugs they found; they always run. If the effect of a seed
 * changes, new ones are needed.
 */
export const failedOnce: readonly (readonly [seed: number, found: string])[] = [
  [26, 'a graph that one transaction makes and drops does not come back empty'],
  [510, 'a checkpoint has its name only when the names of its files are durable'],
  [61903294, 'a record whose sync failed is not durable after a second sync'],
  [62472258, 'what was cut off after a header comes back after a power cut'],
];
