import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { RDF_TYPE } from '../model/vocabulary.ts';
import { BodyTerms } from './body-terms.ts';
import { isOfPart, type ManagedPattern } from './managed-patterns.ts';
import type { ShownTriples } from './shown-triples.ts';

/**
 * How a triple relates to a resource:
 * - `free`: the client's own triple
 * - `current`: a managed triple that exists at present, and that the client sees
 * - `claimed`: another managed triple
 */
export type Standing = 'free' | 'current' | 'claimed';

/** A pattern with the indexes of its terms; null matches all terms. */
interface NumberedPattern {
  readonly pattern: ManagedPattern;
  readonly subject: number | null;
  readonly object: number | null;
}

const none: readonly NumberedPattern[] = [];

/**
 * Compares the triples of a block with the managed triples of a resource. It compares term indexes,
 * and looks terms up only if a triple matches a pattern.
 */
export class ManagedCheck {
  readonly terms: BodyTerms;
  readonly #reader: SnapshotReader;
  readonly #graph: TermId;
  readonly #shown: ShownTriples;
  /** By the index of the predicate. */
  readonly #patterns = new Map<number, NumberedPattern[]>();

  constructor(
    reader: SnapshotReader,
    block: QuadBlock,
    patterns: readonly ManagedPattern[],
    shown: ShownTriples,
  ) {
    this.#reader = reader;
    this.#shown = shown;
    this.#graph = reader.find(formatTerm(iri(LDP_GRAPH)));
    this.terms = new BodyTerms(reader, block);
    const iris = patterns.flatMap(({ subject, predicate, object }) => [subject, predicate, object]);
    const numbers = this.terms.numbersOf(iris.filter((value) => value !== null));
    const numberOf = (value: string | null) => (value === null ? null : numbers.get(value)!);
    for (const pattern of patterns) {
      const predicate = numbers.get(pattern.predicate)!;
      const numbered = { pattern, subject: numberOf(pattern.subject), object: numberOf(pattern.object) };
      const known = this.#patterns.get(predicate);
      if (known) known.push(numbered);
      else this.#patterns.set(predicate, [numbered]);
    }
  }

  /** Classifies the row at offset `at` in a block with the same terms. */
  standing(quads: Uint32Array, at: number): Standing {
    const subject = quads[at]!;
    const predicate = quads[at + 1]!;
    const object = quads[at + 2]!;
    const text = () => this.terms.text(object);
    let closed = false;
    for (const { pattern, subject: s, object: o } of this.#patterns.get(predicate) ?? none) {
      if ((s !== null && s !== subject) || (o !== null && o !== object)) continue;
      if (!isOfPart(pattern, text)) continue;
      if (this.#isCurrent(pattern, subject, predicate, object)) return 'current';
      closed ||= pattern.closed;
    }
    return closed ? 'claimed' : 'free';
  }

  /** Whether the server manages the predicate of a row here. False for most rows. */
  concerns(quads: Uint32Array, at: number): boolean {
    return this.#patterns.has(quads[at + 1]!);
  }

  /** Returns the LDP type that a row states for the resource; null if it states none. */
  kindStated(quads: Uint32Array, at: number): string | null {
    for (const { pattern, subject, object } of this.#patterns.get(quads[at + 1]!) ?? none) {
      if (pattern.predicate !== RDF_TYPE || pattern.part !== 'minimal') continue;
      if (subject === quads[at] && object === quads[at + 2]) return pattern.object;
    }
    return null;
  }

  #isCurrent(pattern: ManagedPattern, subject: number, predicate: number, object: number): boolean {
    if (!this.holds(this.#graph, subject, predicate, object)) return false;
    const { terms } = this;
    return this.#shown.has(pattern, terms.id(subject), terms.id(predicate), terms.id(object));
  }

  /** Whether a graph of the snapshot contains a triple of terms of the block. */
  holds(graph: TermId, subject: number, predicate: number, object: number): boolean {
    const { terms } = this;
    return this.#reader.hasQuad(terms.id(subject), terms.id(predicate), terms.id(object), graph);
  }
}
