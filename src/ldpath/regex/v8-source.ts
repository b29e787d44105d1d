import type { Repetition, Tree } from './tree.ts';

export interface V8Source {
  /** The source, for the flag `u`. */
  readonly source: string;
  /**
   * The group numbers in the source, which has additional groups, by the pattern's own group
   * numbers.
   */
  readonly groups: readonly number[];
}

/** Converts a pattern to the syntax of JavaScript. */
export function v8Source(tree: Tree): V8Source {
  const writer = new Writer();
  return { source: writer.write(tree, false), groups: writer.groups };
}

class Writer {
  readonly groups: number[] = [0];
  #groupCount = 0;

  /** `backward`: whether V8 reads the part backward, as in a look-behind. */
  write(tree: Tree, backward: boolean): string {
    switch (tree.kind) {
      case 'set':
        return tree.source;
      case 'assertion':
        return `(?:${tree.source})`;
      case 'sequence':
        return tree.items.map((item) => this.write(item, backward)).join('');
      case 'choice':
        return this.#choice(tree.options, backward);
      case 'repetition':
        return this.#repetition(tree, backward);
      case 'group':
        this.groups[tree.number] = ++this.#groupCount;
        return `(${this.write(tree.body, backward)})`;
      case 'reference':
        return `(?:\\${this.groups[tree.group]})`;
      case 'look':
        return `(?:(?${tree.ahead ? '' : '<'}${tree.negative ? '!' : '='}${this.write(tree.body, !tree.ahead)}))`;
      case 'atomic':
        return this.#atomic(tree.body, backward);
    }
  }

  #choice(options: readonly Tree[], backward: boolean): string {
    if (options.length === 0) return '(?:(?!))';
    return `(?:${options.map((option) => this.write(option, backward)).join('|')})`;
  }

  #repetition({ body, min, max, lazy }: Repetition, backward: boolean): string {
    const written = this.write(body, backward);
    const repeated = body.kind === 'set' ? written : `(?:${written})`;
    const bounds = max === min ? min : `${min},${max === Number.POSITIVE_INFINITY ? '' : max}`;
    return `${repeated}{${bounds}}${lazy ? '?' : ''}`;
  }

  /**
   * Emulates an atomic group: a look-around is never tried again, and the reference then consumes
   * its text.
   */
  #atomic(body: Tree, backward: boolean): string {
    const group = ++this.#groupCount;
    const written = this.write(body, backward);
    return backward ? `(?:\\${group}(?<=(${written})))` : `(?:(?=(${written}))\\${group})`;
  }
}
