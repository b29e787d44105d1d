import { backtrackingCosts } from './backtracking.ts';
import type { Engine, Match, SearchMeter } from './engine.ts';
import type { ParsedPattern } from './parser.ts';
import { propertyCount, sources } from './tree.ts';
import { refersToUnset } from './unset-groups.ts';
import { v8Source } from './v8-source.ts';

/** Limits for patterns that V8 compiles. It throws an error for much longer ones. */
const MAX_PROPERTIES = 128;
const MAX_LENGTH = 16_384;

/** A pattern run by V8. */
export class V8Pattern implements Engine {
  readonly #regExp: RegExp;
  /** The numbers of the groups in V8's pattern; null if they are the same. */
  readonly #groups: readonly number[] | null;

  constructor({ tree, ignoresCase }: ParsedPattern) {
    const { source, groups } = v8Source(tree);
    this.#regExp = new RegExp(source, ignoresCase ? 'giu' : 'gu');
    this.#groups = groups.every((number, group) => number === group) ? null : groups;
  }

  *matches(text: string, meter: SearchMeter): Generator<Match> {
    const regExp = this.#regExp;
    const groups = this.#groups;
    for (let from = 0; ; ) {
      regExp.lastIndex = from;
      const match = regExp.exec(text);
      if (match === null) return;
      const { index } = match;
      from = regExp.lastIndex;
      if (match[0] === '') {
        from += isBeforePair(text, from) ? 2 : 1;
        if (isInsidePair(text, index)) continue;
      }
      meter.work(1);
      yield { index, groups: groups === null ? match : groups.map((number) => match[number]) };
    }
  }

  isFoundIn(text: string, meter: SearchMeter): boolean {
    const index = text.search(this.#regExp);
    if (index < 0 || !isInsidePair(text, index)) return index >= 0;
    return this.matches(text, meter).next().done === false;
  }
}

function isBeforePair(text: string, index: number): boolean {
  return text.codePointAt(index)! > 0xffff;
}

/**
 * Whether an index is within a surrogate pair. A match can't be there, but V8 finds look-arounds
 * there: `(?!x)` in a text of one such pair.
 */
function isInsidePair(text: string, index: number): boolean {
  return isBeforePair(text, index - 1);
}

/**
 * Returns the charge for finding all matches with V8, in steps, by the number of bits of the text's
 * length; there is none for texts for which V8 must not be used.
 */
export function v8Costs({ tree }: ParsedPattern): readonly number[] {
  // V8 treats a group without a text like one with the empty text.
  if (refersToUnset(tree)) return [];
  const isBig = propertyCount(sources(tree)) > MAX_PROPERTIES || v8Source(tree).source.length > MAX_LENGTH;
  return isBig ? [] : backtrackingCosts(tree);
}
