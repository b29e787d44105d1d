/**
 * A term's number in a dictionary: a positive integer below 2^31, assigned in the order in which
 * terms are first seen, and never reused during the life of the process. 0 means "no such term".
 * Negative numbers are reserved for temporary terms of an evaluator.
 */
export type TermId = number;

export const NO_TERM: TermId = 0;
