import type { Scan } from '../snapshot/scans.ts';

/** The quads of two scans in the same order, each once. Neither has a quad twice. */
export class UnionScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly weight = 1;
  readonly #first: Scan;
  readonly #second: Scan;
  #hasFirst: boolean;
  #hasSecond: boolean;

  constructor(first: Scan, second: Scan) {
    this.#first = first;
    this.#second = second;
    this.#hasFirst = first.next();
    this.#hasSecond = second.next();
  }

  next(): boolean {
    if (!this.#hasFirst && !this.#hasSecond) return false;
    const order = this.#order();
    const { a, b, c, d } = order <= 0 ? this.#first : this.#second;
    this.a = a;
    this.b = b;
    this.c = c;
    this.d = d;
    if (order <= 0) this.#hasFirst = this.#first.next();
    if (order >= 0) this.#hasSecond = this.#second.next();
    return true;
  }

  /** Below 0: the first has the next quad; above: the second; 0: both. */
  #order(): number {
    if (!this.#hasFirst) return 1;
    if (!this.#hasSecond) return -1;
    const [x, y] = [this.#first, this.#second];
    return x.a - y.a || x.b - y.b || x.c - y.c || x.d - y.d;
  }
}
