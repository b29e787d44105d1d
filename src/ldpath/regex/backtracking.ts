/**
 * Computes an upper bound for the work of V8's backtracking matcher with a pattern. Where the bound
 * is small, V8 is used, since it is the fastest; everything else is left to our own matcher.
 *
 * The bound. Think of the matcher as a tree of calls: a part of the pattern is tried at a position
 * in the text, and where it matches, it calls the next part; if that fails, it looks for another
 * way to match. For a part P, and a text of n units, `ways(P)` is the maximum number of times that
 * P calls the next part, and `visits(P)` the number of parts tried inside P. Then
 *
 * - a character set is tried once and matches in one way at most;
 * - for P followed by Q: ways(P) * ways(Q), and visits(P) + ways(P) * visits(Q);
 * - for alternatives: the sums;
 * - a repetition is made at most n times if its body can't match the empty text, else at most
 *   min + n times, since V8 gives up on an optional iteration that matches the empty text. What
 *   follows may be tried after each iteration: the sums over P, P followed by P, and so on;
 * - a look-around or an atomic group matches in one way at most.
 *
 * A search tries the pattern at n + 1 positions. All bounds grow with n, so a bound for a longer
 * text is also valid for a shorter one.
 */
import { isAnchored } from './beginning.ts';
import { canBeEmpty, propertyCount, type Tree } from './tree.ts';

interface Work {
  readonly visits: number;
  readonly ways: number;
}

/**
 * The maximum number of visits for a search with V8, in addition to those per unit of the text: a
 * few milliseconds.
 */
const MAX_VISITS = 2 ** 20;
const MAX_VISITS_A_UNIT = 16;
/** The maximum length of texts, as a power of two. V8 may lack memory for longer ones. */
const MAX_BITS = 20;
/** The number of visits that cost about as much as a step. */
const VISITS_A_STEP = 4096;
/**
 * The visits for comparing a character with a Unicode property, which takes this many times longer
 * than comparing it with a few characters.
 */
const PROPERTY_VISITS = 8;
const ASSERTION_VISITS = 8;

/**
 * Returns the charge for finding all matches with V8, in steps, for texts of less than 2^i units at
 * index i; V8 is not used for texts of the first missing index or longer.
 */
export function backtrackingCosts(tree: Tree): readonly number[] {
  const costs: number[] = [];
  for (let bits = 0; bits <= MAX_BITS; bits++) {
    const length = 2 ** bits;
    const visits = searchVisits(tree, length);
    if (!(visits <= MAX_VISITS + MAX_VISITS_A_UNIT * length)) break;
    costs.push(Math.ceil(visits / VISITS_A_STEP));
  }
  return costs;
}

/**
 * Returns the visits for finding all matches in a text of `n` units. V8 tries patterns that begin
 * with `^` only at the start.
 */
export function searchVisits(tree: Tree, n: number): number {
  const { visits, consumed } = lastWork(tree, n);
  const starts = isAnchored(tree) ? 1 : n + 1;
  return starts * visits + consumed + n;
}

/**
 * Returns the work of a part at the end of the pattern. If an optional repetition matches there,
 * its text is definitely part of the match, so the repetitions of all matches together consume the
 * text once (`consumed`); the rest is the work that one start position may waste.
 */
function lastWork(tree: Tree, n: number): { readonly visits: number; readonly consumed: number } {
  switch (tree.kind) {
    case 'sequence': {
      if (tree.items.length === 0) break;
      const before = sequenceWork(tree.items.slice(0, -1), n);
      const last = lastWork(tree.items.at(-1)!, n);
      return { visits: before.visits + times(before.ways, last.visits), consumed: last.consumed };
    }
    case 'choice': {
      const options = tree.options.map((option) => lastWork(option, n));
      return {
        visits: options.reduce((sum, { visits }) => sum + visits, 1),
        consumed: options.reduce((sum, { consumed }) => sum + consumed, 0),
      };
    }
    case 'group': {
      const { visits, consumed } = lastWork(tree.body, n);
      return { visits: visits + 1, consumed };
    }
    case 'repetition': {
      const { visits, ways } = work(tree.body, n);
      const least = canBeEmpty(tree.body) ? tree.min : Math.min(tree.min, n);
      return { visits: times(powers(ways, least), 1 + visits), consumed: n * (1 + visits) };
    }
  }
  return { visits: work(tree, n).visits, consumed: 0 };
}

function work(tree: Tree, n: number): Work {
  switch (tree.kind) {
    case 'set':
      return { visits: setVisits(tree.source), ways: 1 };
    case 'assertion':
      return { visits: ASSERTION_VISITS, ways: 1 };
    case 'reference':
      return { visits: n + 1, ways: 1 };
    case 'sequence':
      return sequenceWork(tree.items, n);
    case 'choice': {
      const options = tree.options.map((option) => work(option, n));
      return {
        visits: options.reduce((sum, { visits }) => sum + visits, 1),
        ways: options.reduce((sum, { ways }) => sum + ways, 0),
      };
    }
    case 'repetition': {
      const { visits, ways } = work(tree.body, n);
      const most = Math.min(tree.max, canBeEmpty(tree.body) ? tree.min + n : n);
      const all = powers(ways, most);
      return { visits: times(all, 1 + visits), ways: ways === 1 ? Math.max(0, most - tree.min + 1) : all };
    }
    case 'group': {
      const { visits, ways } = work(tree.body, n);
      return { visits: visits + 1, ways };
    }
    case 'look':
      return { visits: work(tree.body, n).visits + 1, ways: 1 };
    case 'atomic':
      return { visits: work(tree.body, n).visits + n + 1, ways: 1 };
  }
}

function setVisits(source: string): number {
  return PROPERTY_VISITS * propertyCount([source]) + source.split('(?').length;
}

function sequenceWork(items: readonly Tree[], n: number): Work {
  return items.reduce<Work>(
    (before, item) => {
      const { visits, ways } = work(item, n);
      return { visits: before.visits + times(before.ways, visits), ways: times(before.ways, ways) };
    },
    { visits: 0, ways: 1 },
  );
}

/** 1 + base + base^2 + ... + base^exponent */
function powers(base: number, exponent: number): number {
  if (base === 1) return exponent + 1;
  if (base === Number.POSITIVE_INFINITY) return exponent === 0 ? 1 : base;
  return (base ** (exponent + 1) - 1) / (base - 1);
}

/** Returns 0 if either factor is 0, even if the other is infinite. */
function times(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : a * b;
}
