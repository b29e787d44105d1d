import { ID_MASK } from '../../src/snapshot/runs/order.ts';

/** A set of quads of numbers, with a digest that does not depend on their order. */
export class FeedState {
  readonly #quads = new Map<string, readonly [number, number, number, number]>();
  #digest = 0;

  constructor(rows: Iterable<readonly number[]> = []) {
    for (const [s, p, o, g] of rows) this.add(s!, p!, o!, g!);
  }

  get digest(): number {
    return this.#digest;
  }

  rows(): (readonly [number, number, number, number])[] {
    return [...this.#quads.values()];
  }

  has(s: number, p: number, o: number, g: number): boolean {
    return this.#quads.has(`${s} ${p} ${o} ${g}`);
  }

  add(s: number, p: number, o: number, g: number): void {
    this.#quads.set(`${s} ${p} ${o} ${g}`, [s, p, o, g]);
    this.#digest = (this.#digest + digestOf(s, p, o, g)) >>> 0;
  }

  remove(s: number, p: number, o: number, g: number): void {
    this.#quads.delete(`${s} ${p} ${o} ${g}`);
    this.#digest = (this.#digest - digestOf(s, p, o, g)) >>> 0;
  }

  /** Takes rows of a feed in; gives how many of them had no effect. */
  take(rows: Uint32Array): number {
    let idle = 0;
    for (let i = 0; i < rows.length; i += 4) {
      const [s, p, o, marked] = [rows[i]!, rows[i + 1]!, rows[i + 2]!, rows[i + 3]!];
      const g = marked & ID_MASK;
      const removes = marked > ID_MASK;
      if (this.has(s, p, o, g) !== removes) idle++;
      else if (removes) this.remove(s, p, o, g);
      else this.add(s, p, o, g);
    }
    return idle;
  }
}

function digestOf(s: number, p: number, o: number, g: number): number {
  let hash = 0x811c9dc5;
  for (const word of [s, p, o, g]) hash = Math.imul(hash ^ word, 0x01000193) ^ (hash >>> 15);
  return hash >>> 0;
}
