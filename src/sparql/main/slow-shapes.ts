import { LRUCache } from 'lru-cache';
import { shapeOf } from './query-shape.ts';

const SHAPES = 1_000;
const MEMORY_MS = 5 * 60_000;
/** A shape is forgotten after this many consecutive quick queries. */
const QUICK_RUNS = 3;

/** Shapes of queries that took long recently. */
export class SlowShapes {
  /** By shape: the number of quick queries since the last slow one. */
  readonly #shapes: LRUCache<string, number>;

  constructor(clock: { now(): number } = performance) {
    this.#shapes = new LRUCache({ max: SHAPES, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** Called for every query; usually the cache is empty. */
  has(text: string): boolean {
    return this.#shapes.size > 0 && this.#shapes.get(shapeOf(text)) !== undefined;
  }

  add(text: string): void {
    this.#shapes.set(shapeOf(text), 0);
  }

  /** Records a query that was quick after all. */
  noteQuick(text: string): void {
    if (this.#shapes.size === 0) return;
    const shape = shapeOf(text);
    const runs = (this.#shapes.get(shape) ?? QUICK_RUNS) + 1;
    if (runs < QUICK_RUNS) this.#shapes.set(shape, runs, { noUpdateTTL: true });
    else this.#shapes.delete(shape);
  }
}
