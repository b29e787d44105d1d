import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { Dictionary } from './dictionary.ts';
import type { PlanDictionary } from './planned-terms.ts';
import { DictionaryWriter } from './term-writer.ts';
import { utf8 } from './utf8.ts';

/** Terms in transit between threads, in shared memory. */
export interface TermList {
  readonly count: number;
  /** Canonical forms, one after another. */
  readonly bytes: Uint8Array;
  /** Term `i` is `bytes[ends[i] .. ends[i + 1])`. */
  readonly ends: Uint32Array;
}

/**
 * The dictionary of a snapshot, which does not change, and new terms besides it. Their ids are
 * provisional: they continue those of the snapshot, in the order in which the terms were added.
 */
export class OverlayDictionary implements PlanDictionary {
  readonly #known: Dictionary;
  /** Its first term is the system graph, which every snapshot has, so that is not a new term. */
  readonly #added = new DictionaryWriter();

  constructor(known: Dictionary) {
    this.#known = known;
  }

  find(bytes: Uint8Array, from: number, to: number): TermId {
    const known = this.#known.findBytes(bytes, from, to);
    if (known !== NO_TERM) return known;
    const added = this.#added.find(bytes, from, to);
    return added === NO_TERM ? NO_TERM : this.#provisional(added);
  }

  findText(text: string): TermId {
    const { bytes, length } = utf8(text);
    return this.find(bytes, 0, length);
  }

  intern(bytes: Uint8Array, from: number, to: number): TermId {
    const known = this.#known.findBytes(bytes, from, to);
    return known !== NO_TERM ? known : this.#provisional(this.#added.intern(bytes, from, to));
  }

  internText(text: string): TermId {
    const { bytes, length } = utf8(text);
    return this.intern(bytes, 0, length);
  }

  /** Returns the new terms; the one with the first provisional id comes first. */
  added(): TermList {
    const { arena, ends, termCount } = this.#added.descriptor();
    const count = termCount - 1;
    return { count, bytes: new Uint8Array(arena), ends: new Uint32Array(ends).subarray(1, count + 2) };
  }

  #provisional(added: TermId): TermId {
    return this.#known.termCount + added - 1;
  }
}

/** The terms of a snapshot, and new ones with provisional ids. */
export class OverlayTerms {
  readonly #known: Dictionary;
  readonly #added: TermList;

  constructor(known: Dictionary, added: TermList) {
    this.#known = known;
    this.#added = added;
  }

  /** The bytes in which a term is: from `start` to `end`. */
  arena(id: TermId): Uint8Array {
    return id > this.#known.termCount ? this.#added.bytes : this.#known.bytes;
  }

  start(id: TermId): number {
    const place = id - this.#known.termCount;
    return place > 0 ? this.#added.ends[place - 1]! : this.#known.start(id);
  }

  end(id: TermId): number {
    const place = id - this.#known.termCount;
    return place > 0 ? this.#added.ends[place]! : this.#known.end(id);
  }

  /** Returns the canonical form. */
  bytes(id: TermId): Uint8Array {
    return this.arena(id).subarray(this.start(id), this.end(id));
  }

  text(id: TermId): string {
    if (id <= this.#known.termCount) return this.#known.text(id);
    return Buffer.from(this.#added.bytes.slice(this.start(id), this.end(id))).toString();
  }
}
