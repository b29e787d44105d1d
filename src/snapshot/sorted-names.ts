import { compareCodePoints } from '../graph/code-points.ts';

/** Names in one block, at most: a change copies no more, and JSON is made of no more at a time. */
const BLOCK = 512;

/** Some of the names that come next. */
export interface NamePage {
  readonly names: readonly string[];
  /** The names as JSON strings with commas between them. */
  readonly json: () => Uint8Array;
}

/**
 * Names in code-point order, in blocks. A change takes a microsecond or two, and so does it to find a name by its number;
 * pages of names can be had in JSON at the cost of copying it.
 */
export class SortedNames {
  readonly #blocks: Block[] = [];
  readonly #most: number;

  /** `most`: names in a block. */
  constructor(names: Iterable<string>, most = BLOCK) {
    this.#most = most;
    const sorted = [...names].sort(compareCodePoints);
    for (let start = 0; start < sorted.length; start += most) {
      this.#blocks.push(new Block(sorted.slice(start, start + most)));
    }
  }

  add(name: string): void {
    const index = this.#blockOf(name);
    const block = this.#blocks[index];
    if (!block) {
      this.#blocks.push(new Block([name]));
      return;
    }
    const at = placeOf(name, block.names);
    if (block.names[at] === name) return;
    const names = block.names.toSpliced(at, 0, name);
    const half = names.length >> 1;
    const parts = names.length <= this.#most ? [names] : [names.slice(0, half), names.slice(half)];
    this.#blocks.splice(index, 1, ...parts.map((part) => new Block(part)));
  }

  delete(name: string): void {
    const index = this.#blockOf(name);
    const block = this.#blocks[index];
    if (!block) return;
    const at = placeOf(name, block.names);
    if (block.names[at] !== name) return;
    const names = block.names.toSpliced(at, 1);
    this.#blocks.splice(index, 1, ...(names.length === 0 ? [] : [new Block(names)]));
  }

  /** How many names are below that one. */
  rank(name: string): number {
    const index = this.#blockOf(name);
    let rank = 0;
    for (let i = 0; i < index; i++) rank += this.#blocks[i]!.names.length;
    return rank + placeOf(name, this.#blocks[index]?.names ?? []);
  }

  at(rank: number): string | undefined {
    let left = rank;
    for (const { names } of this.#blocks) {
      if (left < names.length) return names[left];
      left -= names.length;
    }
    return undefined;
  }

  /** Some names from the first on that is not below a given one; undefined when there is none. */
  pageFrom(name: string): NamePage | undefined {
    const index = this.#blockOf(name);
    const block = this.#blocks[index];
    if (!block) return undefined;
    const at = placeOf(name, block.names);
    if (at === block.names.length) return this.#blocks[index + 1];
    return at === 0 ? block : new Block(block.names.slice(at));
  }

  /** The number of the block in which a name is, or belongs. */
  #blockOf(name: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareCodePoints(this.#blocks[middle]!.names[0]!, name) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

/** Never changes, so that JSON once made of it stays true. */
class Block implements NamePage {
  readonly names: readonly string[];
  #json: Uint8Array | undefined;

  constructor(names: readonly string[]) {
    this.names = names;
  }

  readonly json = (): Uint8Array => {
    this.#json ??= jsonOf(this.names);
    return this.#json;
  };
}

export function jsonOf(names: readonly string[]): Uint8Array {
  return Buffer.from(JSON.stringify(names).slice(1, -1));
}

/** The index of the first name that is not below a given one. */
function placeOf(name: string, names: readonly string[]): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareCodePoints(names[middle]!, name) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
