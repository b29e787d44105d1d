import { tagIn } from '../../rdf/model/language/tag-case.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { oxigraphSpellings } from '../../rdf/oxigraph/spelling.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { Oxigraph } from '../instance.ts';
import { mayBeRespelled } from './canonical-literals.ts';
import { CapitalTags } from './capital-tags.ts';

/** Does not occur in a literal in canonical form. */
const NEWLINE = 0x0a;

/** The number of obsolete literals that is always tolerated. */
const FEW = 1_000;

/**
 * The literals that Oxigraph writes differently from the data. Those with language tags are not
 * among them, because there may be millions. Only their tags are noted, and the literals are looked
 * up in the data, which have one spelling of each.
 */
export class Spellings {
  readonly #changed = new Map<string, string>();
  readonly #written = new Map<string, string[]>();
  #capitals = new CapitalTags();
  /** The number of literals when all of them were in the data. */
  #live = 0;

  /** Restores the result of `bytesFor`. */
  static of(bytes: SharedArrayBuffer): Spellings {
    const spellings = new Spellings();
    const buffer = Buffer.from(bytes);
    const lines: string[] = [];
    const begin = buffer.indexOf(NEWLINE) + 1;
    spellings.#capitals = CapitalTags.of(buffer.toString('latin1', 0, Math.max(0, begin - 1)));
    for (let at = begin; at < buffer.length; ) {
      const end = buffer.indexOf(NEWLINE, at);
      lines.push(buffer.toString('utf8', at, end));
      at = end + 1;
      if (lines.length === 2) spellings.#add(...(lines.splice(0) as [string, string]));
    }
    spellings.noteLive();
    return spellings;
  }

  /**
   * Encodes the literals that occur in the data, in shared memory that other threads read without a
   * copy. The first line has language tags. Each literal has two lines: as it was written, and as
   * Oxigraph writes it.
   */
  bytesFor(reader: SnapshotReader): SharedArrayBuffer {
    const entries = [...this.#changed].filter(([written]) => isIn(written, reader));
    const tags = `${this.#capitals.text}\n`;
    let { length } = tags;
    for (const pair of entries) for (const text of pair) length += Buffer.byteLength(text) + 1;
    const bytes = new SharedArrayBuffer(length);
    const buffer = Buffer.from(bytes);
    let at = buffer.write(tags);
    for (const pair of entries) for (const text of pair) at += buffer.write(`${text}\n`, at);
    return bytes;
  }

  get size(): number {
    return this.#changed.size;
  }

  get isEmpty(): boolean {
    return this.#changed.size === 0;
  }

  /** The literals that the data write differently, by how Oxigraph writes them. */
  get groups(): ReadonlyMap<string, readonly string[]> {
    return this.#written;
  }

  /** Learns the spellings of terms of the data. */
  learn(oxigraph: Oxigraph, terms: Iterable<string>): void {
    const unknown: string[] = [];
    for (const term of terms) {
      this.noteTag(tagIn(term));
      if (mayBeRespelled(term) && !this.#changed.has(term)) unknown.push(term);
    }
    for (const [written, changed] of oxigraphSpellings(oxigraph, unknown)) {
      if (written !== changed) this.#add(written, changed);
    }
  }

  /** Learns a language tag of the data; empty for a term without one. */
  noteTag(tag: string): void {
    this.#capitals.note(tag);
  }

  /** Notes that all of them are in the data. */
  noteLive(): void {
    this.#live = this.#changed.size;
  }

  /** Forgets literals that are no longer in the data, once they may be as many as the others. */
  prune(reader: SnapshotReader): void {
    if (this.#changed.size <= 2 * this.#live + FEW) return;
    const live = [...this.#changed].filter(([written]) => isIn(written, reader));
    this.#changed.clear();
    this.#written.clear();
    for (const [written, changed] of live) this.#add(written, changed);
    this.noteLive();
  }

  /** Returns how Oxigraph writes a term that was learned. */
  changed(written: string): string {
    return this.#changed.get(written) ?? written;
  }

  /** Returns the terms that Oxigraph writes as the given one, excluding that one itself. */
  written(changed: string): readonly string[] {
    return this.#written.get(changed) ?? [];
  }

  /**
   * Returns the spelling in the data of a term from Oxigraph: unchanged if the data contain it,
   * otherwise the spelling with the lowest id, if there is one.
   */
  restore(term: string, reader: SnapshotReader): string {
    const tag = tagIn(term);
    if (tag !== '') return this.#capitals.has(tag) ? storedSpelling(term, reader) : term;
    const written = this.#written.get(term);
    if (written === undefined || isIn(term, reader)) return term;
    const there = written.filter((each) => isIn(each, reader)).map((each) => reader.find(each));
    return there.length === 0 ? term : reader.text(Math.min(...there));
  }

  #add(written: string, changed: string): void {
    this.#changed.set(written, changed);
    const others = this.#written.get(changed);
    if (others) others.push(written);
    else this.#written.set(changed, [written]);
  }
}

function storedSpelling(term: string, reader: SnapshotReader): string {
  const id = reader.find(term);
  // Only graphs that the reader hides may have the term.
  const isHidden = reader.isRestricted && !reader.mentions(id);
  return id === NO_TERM || isHidden ? term : reader.text(id);
}

export function isIn(term: string, reader: SnapshotReader): boolean {
  return reader.mentions(reader.find(term));
}
