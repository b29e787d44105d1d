/** Seeds that once failed, with what they found; they always run. */
export const failedOnce: readonly (readonly [seed: number, found: string])[] = [];
