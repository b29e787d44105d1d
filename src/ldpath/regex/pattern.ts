/**
 * Regular expressions in the dialect of Java. V8 searches where it is certain to be fast, and our
 * own matcher, which can be interrupted, everywhere else. Both find the same matches.
 */
import type { Engine, Match, SearchMeter } from './engine.ts';
import { MeteredPattern } from './metered-pattern.ts';
import { type ParsedPattern, parseJavaPattern } from './parser.ts';
import { PatternSyntaxError } from './pattern-reader.ts';
import { V8Pattern, v8Costs } from './v8-pattern.ts';

/** The maximum length of a pattern, in characters. */
export const MAX_PATTERN_LENGTH = 4096;
/**
 * The number of characters that take about as long to compile as a step, and how many times longer
 * our own matcher takes.
 */
const CHARACTERS_A_STEP = 16;
const METERED_TIMES = 10;

export class JavaPattern implements Engine {
  readonly groupCount: number;
  /** The numbers of the named groups. */
  readonly groupNames: ReadonlyMap<string, number>;
  readonly #parsed: ParsedPattern;
  /** The steps charged for compiling the pattern. */
  readonly #size: number;
  readonly #v8Costs: readonly number[];
  #v8: V8Pattern | undefined;
  #metered: MeteredPattern | undefined;

  /**
   * @throws Error if the pattern is malformed or too long
   */
  constructor(source: string, meter: SearchMeter) {
    if (source.length > MAX_PATTERN_LENGTH)
      throw new PatternSyntaxError(`It has more than ${MAX_PATTERN_LENGTH} characters`);
    this.#size = Math.ceil(source.length / CHARACTERS_A_STEP);
    meter.work(this.#size);
    this.#parsed = parseJavaPattern(source);
    this.groupCount = this.#parsed.groupCount;
    this.groupNames = this.#parsed.groupNames;
    this.#v8Costs = v8Costs(this.#parsed);
  }

  matches(text: string, meter: SearchMeter): Iterable<Match> {
    return this.#engine(text, meter).matches(text, meter);
  }

  isFoundIn(text: string, meter: SearchMeter): boolean {
    return this.#engine(text, meter).isFoundIn(text, meter);
  }

  #engine(text: string, meter: SearchMeter): Engine {
    const cost = this.#v8Costs[bits(text.length)];
    if (cost === undefined) {
      if (!this.#metered) meter.work(METERED_TIMES * this.#size);
      this.#metered ??= new MeteredPattern(this.#parsed);
      return this.#metered;
    }
    meter.work(cost);
    this.#v8 ??= new V8Pattern(this.#parsed);
    return this.#v8;
  }
}

/** Returns the number of bits of a number. */
function bits(number: number): number {
  return 32 - Math.clz32(number);
}
