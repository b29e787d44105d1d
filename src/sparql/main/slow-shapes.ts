import { LRUCache } from 'lru-cache';
import { shapeOf } from './query-shape.ts';

const SHAPES = 1_000;
const MEMORY_MS = 5 * 60_000;
/** A shape is forgotten after so many queries in a row that were quick. */
const QUICK_RUNS = 3;

/** Shapes of queries that took long in the recent past. */
export class SlowShapes {
  /** How many were quick since. */
  readonly #shapes: LRUCache<string, number>;

  constructor(clock: { now(): number } = performance) {
    this.#shapes = new LRUCache({ max: SHAPES, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** Looked up for every query; mostly there are none. */
  has(text: string): boolean {
    return this.#shapes.size > 0 && this.#shapes.get(shapeOf(text)) !== undefined;
  }

  add(text: string): void {
    this.#shapes.set(shapeOf(text), 0);
  }

  /** A query was quick after all. */
  noteQuick(text: string): void {
    if (this.#shapes.size === 0) return;
    const shape = shapeOf(text);
    const runs = (this.#shapes.get(shape) ?? QUICK_RUNS) + 1;
    if (runs < QUICK_RUNS) this.#shapes.set(shape, runs, { noUpdateTTL: true });
    else this.#shapes.delete(shape);
  }
}
