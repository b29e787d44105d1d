import { compareCodePoints } from '../../rdf/model/code-points.ts';

/**
 * The most names in one block: a change copies no more, and JSON is created for no more at one
 * time.
 */
const BLOCK = 512;

/** A page of consecutive names. */
export interface NamePage {
  readonly names: readonly string[];
  /** Returns the names as JSON strings separated by commas. */
  readonly json: () => Uint8Array;
}

/**
 * Names in code-point order, in blocks. A change takes a microsecond or two, and so does finding a
 * name by its rank. Pages of names are available as JSON at the cost of copying it.
 */
export class SortedNames {
  readonly #blocks: Block[] = [];
  readonly #most: number;

  /** `most`: the most names in a block. */
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

  /** Returns how many names are less than the given one. */
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

  /**
   * Returns a page that starts with the first name not less than the given one; undefined if there
   * is none.
   */
  pageFrom(name: string): NamePage | undefined {
    const index = this.#blockOf(name);
    const block = this.#blocks[index];
    if (!block) return undefined;
    const at = placeOf(name, block.names);
    if (at === block.names.length) return this.#blocks[index + 1];
    return at === 0 ? block : new Block(block.names.slice(at));
  }

  /** Returns the index of the block that contains a name, or where it belongs. */
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

/** Immutable, so that its cached JSON stays valid. */
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

/** Returns the index of the first name that is not less than the given one. */
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
