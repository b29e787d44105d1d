import type { Engine, Match, SearchMeter } from './engine.ts';
import { Matcher } from './matcher.ts';
import type { ParsedPattern } from './parser.ts';
import { compileProgram, type Program } from './program.ts';
import { refersToUnset } from './unset-groups.ts';

/**
 * A pattern run by our own matcher: in linear time where possible, and charged for all its work.
 */
export class MeteredPattern implements Engine {
  readonly #program: Program | null;

  constructor({ tree, groupCount, ignoresCase }: ParsedPattern) {
    this.#program = compileProgram(tree, { groupCount, ignoresCase, keepsGroups: refersToUnset(tree) });
  }

  matches(text: string, meter: SearchMeter): Iterable<Match> {
    if (this.#program === null) throw meter.exceeded('A regular expression has too many repetitions in it');
    return new Matcher(this.#program, text, meter).matches();
  }

  isFoundIn(text: string, meter: SearchMeter): boolean {
    for (const _ of this.matches(text, meter)) return true;
    return false;
  }
}
