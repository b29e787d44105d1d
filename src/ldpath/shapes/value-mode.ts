/** How the values of a list are written together. */

/** Values are not converted. */
export const VALUES = 0;
/** The same; dates are written one by one. */
export const UNDATED = 1;
/** Values are converted to strings. */
export const STRINGS = 2;
/** Values are converted to integers of at least 32 bits. */
export const INTEGERS = 3;

export type ValueMode = 0 | 1 | 2 | 3;
