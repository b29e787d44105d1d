import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  OPEN_OBJECT,
  QUOTE,
  skipSpace,
} from '../../../base/json/bytes.ts';
import { jsonAt } from './find-contexts.ts';

/**
 * How deep names occur in a document, as keys or as strings, which may be types. Depths are in the
 * order in which their contexts apply: 2n for the types of an object in n objects, itself included,
 * and 2n + 1 for its keys.
 */
export class NamePlaces {
  readonly #depths = new Map<string, Set<number>>();

  /** Records only `names`. */
  constructor(document: Buffer, names: ReadonlySet<string>) {
    for (const name of names) this.#depths.set(name, new Set());
    if (names.size > 0) this.#record(document);
  }

  /** Returns the first depth below another one at which a name occurs; undefined if it does not. */
  below(depth: number, name: string): number | undefined {
    const depths = this.#depths.get(name);
    // Terms of the document's own contexts are not recorded, and taken to occur everywhere.
    if (!depths) return depth + 1;
    const below = [...depths].filter((each) => each > depth);
    return below.length === 0 ? undefined : Math.min(...below);
  }

  #record(document: Buffer): void {
    let objects = 0;
    for (let at = 0; at < document.length; at++) {
      const byte = document[at];
      if (byte === OPEN_OBJECT) objects++;
      else if (byte === CLOSE_OBJECT) objects--;
      else if (byte === QUOTE) {
        const end = endOfString(document, at);
        const isKey = document[skipSpace(document, end)] === COLON;
        this.#depths.get(textOf(document, at, end))?.add(2 * objects + Number(isKey));
        at = end - 1;
      }
    }
  }
}

/** Returns the text of the string in a range with its quotes. */
function textOf(document: Buffer, start: number, end: number): string {
  const inner = document.subarray(start + 1, end - 1);
  return inner.includes(BACKSLASH) ? String(jsonAt(document, { start, end })) : inner.toString('utf8');
}
