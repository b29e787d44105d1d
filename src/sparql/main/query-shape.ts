import { LRUCache } from 'lru-cache';

/** Characters of a text that count. */
const LOOKED_AT = 10_000;
const SHAPES = 1_000;
const MEMORY_MS = 5 * 60_000;

const parts =
  /(?:\s|#[^\n<>]*$)+|"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|<[^<>"{}|^`\\\s]*>|\b\d[\d.]*(?:[eE][+-]?\d+)?\b/gm;

/** A text without its IRIs, strings, numbers and white space: what queries of one program share. */
export function shapeOf(text: string): string {
  return text.slice(0, LOOKED_AT).replace(parts, (part) => {
    switch (part[0]) {
      case '<':
        return '<>';
      case '"':
      case "'":
        return '""';
      default:
        return /^\d/.test(part) ? '0' : ' ';
    }
  });
}

/** Shapes of queries that took long in the recent past. */
export class SlowShapes {
  readonly #shapes: LRUCache<string, true>;

  constructor(clock: { now(): number } = performance) {
    this.#shapes = new LRUCache({ max: SHAPES, ttl: MEMORY_MS, ttlResolution: 0, perf: clock });
  }

  /** Looked up for every query; mostly there are none. */
  has(text: string): boolean {
    return this.#shapes.size > 0 && this.#shapes.get(shapeOf(text)) === true;
  }

  add(text: string): void {
    this.#shapes.set(shapeOf(text), true);
  }

  delete(text: string): void {
    if (this.#shapes.size > 0) this.#shapes.delete(shapeOf(text));
  }
}
