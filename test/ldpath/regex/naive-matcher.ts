/**
 * A backtracking matcher without shortcuts. The bounds on V8's work refer to the number of its
 * calls.
 */
import type { Repetition, Tree } from '../../../src/ldpath/regex/tree.ts';

type Next = (at: number) => number;

const FAILED = -1;

/** For patterns without groups that are referred to, look-arounds and atomic groups. */
export class NaiveMatcher {
  visits = 0;
  readonly #tree: Tree;
  readonly #flags: string;
  readonly #text: string;

  constructor(tree: Tree, ignoresCase: boolean, text: string) {
    this.#tree = tree;
    this.#flags = ignoresCase ? 'iuy' : 'uy';
    this.#text = text;
  }

  /** Begin and end of all matches. */
  matches(): [number, number][] {
    const found: [number, number][] = [];
    for (let start = 0; start <= this.#text.length; ) {
      const end = this.#try(this.#tree, start, (at) => at);
      if (end !== FAILED) found.push([start, end]);
      start = end > start ? end : this.#after(start);
    }
    return found;
  }

  #after(at: number): number {
    return at + (this.#text.codePointAt(at)! > 0xffff ? 2 : 1);
  }

  #try(tree: Tree, at: number, next: Next): number {
    if (tree.kind !== 'sequence') this.visits++;
    switch (tree.kind) {
      case 'set':
        return this.#matches(tree.source, at) ? next(this.#after(at)) : FAILED;
      case 'assertion':
        return this.#matches(tree.source, at) ? next(at) : FAILED;
      case 'sequence':
        return tree.items.reduceRight<Next>(
          (rest, item) => (place) => this.#try(item, place, rest),
          next,
        )(at);
      case 'choice':
        return this.#firstOf(tree.options.map((option) => () => this.#try(option, at, next)));
      case 'group':
        return this.#try(tree.body, at, next);
      case 'repetition':
        return this.#repeat(tree, 0, at, next);
      default:
        throw new Error(`No ${tree.kind} here`);
    }
  }

  #matches(source: string, at: number): boolean {
    const pattern = new RegExp(`(?:${source})`, this.#flags);
    pattern.lastIndex = at;
    return pattern.test(this.#text);
  }

  #repeat(tree: Repetition, done: number, at: number, next: Next): number {
    const again = () => {
      if (done === tree.max) return FAILED;
      return this.#try(tree.body, at, (end) =>
        done >= tree.min && end === at ? FAILED : this.#repeat(tree, done + 1, end, next),
      );
    };
    if (done < tree.min) return again();
    const leave = () => next(at);
    return this.#firstOf(tree.lazy ? [leave, again] : [again, leave]);
  }

  #firstOf(attempts: readonly (() => number)[]): number {
    for (const attempt of attempts) {
      const end = attempt();
      if (end !== FAILED) return end;
    }
    return FAILED;
  }
}
