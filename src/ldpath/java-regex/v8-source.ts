import type { Repetition, Tree } from './tree.ts';

export interface V8Source {
  /** For the flag `u`. */
  readonly source: string;
  /** Numbers of the groups of the pattern in the source, which has further groups; by their own number. */
  readonly groups: readonly number[];
}

/** Writes a pattern in the syntax of JavaScript. */
export function v8Source(tree: Tree): V8Source {
  const writer = new Writer();
  return { source: writer.write(tree, false), groups: writer.groups };
}

class Writer {
  readonly groups: number[] = [0];
  #groupCount = 0;

  /** `backward` is how V8 reads what is in a look-behind. */
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

  /** What a look-around has matched is never tried again; the reference moves over it. */
  #atomic(body: Tree, backward: boolean): string {
    const group = ++this.#groupCount;
    const written = this.write(body, backward);
    return backward ? `(?:\\${group}(?<=(${written})))` : `(?:(?=(${written}))\\${group})`;
  }
}
