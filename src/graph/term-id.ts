/**
 * A term's number in a dictionary: a positive integer below 2^31, given in the order in which terms are first
 * met and never reused while the process lives. 0 means "no such term". Negative numbers are free for an
 * evaluator's own, passing terms.
 */
export type TermId = number;

export const NO_TERM: TermId = 0;
