import { CLOSE_LIST, COLON, COMMA, endOfPlainString, skipSpace } from '../../base/json/bytes.ts';
import type { StartList } from '../../pool/batch/start-list.ts';
import type { StartPack } from '../../pool/batch/start-pack.ts';

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const UNDERSCORE = 0x5f;

/**
 * Start resources as byte ranges of a JSON document: strings between their quotes. Creating and
 * garbage-collecting ten thousand strings costs the main thread more than all its other work for a
 * batch; their bytes cost next to nothing.
 */
export class JsonStarts implements StartList {
  /** Offset after the end of the list. */
  readonly end: number;
  readonly #json: Buffer;
  /** For each start, the offset of its opening quote and the offset after its closing quote. */
  readonly #bounds: Uint32Array;

  private constructor(json: Buffer, bounds: Uint32Array, end: number) {
    this.#json = json;
    this.#bounds = bounds;
    this.end = end;
  }

  /**
   * Reads the list that begins at an offset. Returns null unless it contains only strings of ASCII
   * without escapes; then `JSON.parse` must decide.
   */
  static read(json: Buffer, from: number): JsonStarts | null {
    let bounds = new Uint32Array(1024);
    let count = 0;
    for (let at = skipSpace(json, from + 1); ; at = skipSpace(json, at + 1)) {
      const end = endOfPlainString(json, at);
      if (end === 0) return null;
      if (count === bounds.length) bounds = doubled(bounds);
      bounds[count++] = at;
      bounds[count++] = end;
      at = skipSpace(json, end);
      if (json[at] === CLOSE_LIST) return new JsonStarts(json, bounds.subarray(0, count), at + 1);
      if (json[at] !== COMMA) return null;
    }
  }

  get length(): number {
    return this.#bounds.length / 2;
  }

  text(index: number): string {
    return this.#json.toString('latin1', this.#bounds[2 * index]! + 1, this.#bounds[2 * index + 1]! - 1);
  }

  /** The quotes of an IRI become its angle brackets; those of a blank node are left out. */
  pack(from: number, to: number): StartPack {
    const bounds = this.#bounds.slice(2 * from, 2 * to);
    const offset = bounds[0] ?? 0;
    const bytes = new Uint8Array(this.#json.subarray(offset, bounds.at(-1)));
    for (let i = 0; i < bounds.length; i += 2) {
      const begin = bounds[i]! - offset;
      const end = bounds[i + 1]! - offset;
      const isBlank = bytes[begin + 1] === UNDERSCORE && bytes[begin + 2] === COLON;
      bounds[i] = isBlank ? begin + 1 : begin;
      bounds[i + 1] = isBlank ? end - 1 : end;
      if (isBlank) continue;
      bytes[begin] = LESS_THAN;
      bytes[end - 1] = GREATER_THAN;
    }
    return { bytes, bounds };
  }

  *[Symbol.iterator](): Generator<string> {
    for (let i = 0; i < this.length; i++) yield this.text(i);
  }
}

function doubled(bounds: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * bounds.length);
  larger.set(bounds);
  return larger;
}
