import { AppError } from '../../errors.ts';
import { withBoundedOxigraph } from '../../rdf/bounded-oxigraph.ts';
import { hasSpelling, linesOf, oxigraphSpellings } from '../../rdf/oxigraph-spelling.ts';
import { release } from '../../rdf/oxigraph-terms.ts';
import type { SnapshotReader } from '../../snapshot/reader.ts';
import type { PatchSteps } from './patch-changes.ts';
import { PatchRows } from './patch-rows.ts';
import { RepresentationCursor } from './representation.ts';
import { isBrief } from './sparql-cost.ts';
import { dataSteps } from './sparql-data.ts';
import { refuseUnsupported, type SparqlSegment, sparqlSegments } from './sparql-operations.ts';
import { runnableText } from './sparql-runnable.ts';
import { fillStore, termsOf } from './sparql-scratch.ts';
import { literalsIn } from './sparql-spelling.ts';
import { checkSyntax } from './sparql-syntax.ts';

type Oxigraph = typeof import('oxigraph');

/** Memory that working out one update may take. */
const MAX_MEMORY_BYTES = 512 * 1024 * 1024;
/** Triples that it may add, beside as many as there are. */
const MAX_ADDED = 250_000;
/** Triples of a representation that is quickly put into a store. */
const FEW_TRIPLES = 1_000;

/**
 * What an update adds and removes in the representation of a resource, which it sees as the default graph (http-api L-70).
 * Null where `brief` is asked for and it may take longer than a few milliseconds. Errors: `parse-error` with line and
 * column, `unsupported-patch`, `too-large`.
 */
export function readSparqlUpdate(
  reader: SnapshotReader,
  target: string,
  source: string,
  brief: boolean,
): PatchSteps | null {
  return withBoundedOxigraph(MAX_MEMORY_BYTES, (oxigraph) => {
    const segments = checkedSegments(oxigraph, source, target);
    const steps = dataSteps(segments, source, target);
    if (steps) return steps;
    if (brief && !isBrief(segments, 0)) return null;
    return new Run(oxigraph, reader, target, segments, source).steps(brief);
  });
}

function checkedSegments(oxigraph: Oxigraph, source: string, base: string): SparqlSegment[] {
  const segments = sparqlSegments(source);
  const empty = new oxigraph.Store();
  try {
    checkSyntax(empty, segments, source, base);
  } finally {
    release(empty);
  }
  refuseUnsupported(segments);
  return segments;
}

/** One update on a store that holds the representation and nothing else. */
class Run {
  readonly #oxigraph: Oxigraph;
  readonly #reader: SnapshotReader;
  readonly #target: string;
  readonly #segments: readonly SparqlSegment[];
  readonly #source: string;

  constructor(
    oxigraph: Oxigraph,
    reader: SnapshotReader,
    target: string,
    segments: readonly SparqlSegment[],
    source: string,
  ) {
    this.#oxigraph = oxigraph;
    this.#reader = reader;
    this.#target = target;
    this.#segments = segments;
    this.#source = source;
  }

  steps(brief: boolean): PatchSteps | null {
    const store = new this.#oxigraph.Store();
    const limit = brief ? FEW_TRIPLES : Number.POSITIVE_INFINITY;
    try {
      const triples = fillStore(this.#oxigraph, store, this.#representation(), this.#reader, limit);
      if (triples === null || (brief && !isBrief(this.#segments, triples))) return null;
      const before = new Set(linesOf(this.#oxigraph, store));
      this.#update(store);
      if (store.size > before.size + MAX_ADDED) {
        throw new AppError('too-large', `A patch can add ${MAX_ADDED} triples at most.`);
      }
      return this.#difference(before, linesOf(this.#oxigraph, store));
    } finally {
      release(store);
    }
  }

  #representation(): RepresentationCursor {
    const parts = { minimal: true, containment: true, membership: true };
    return new RepresentationCursor(this.#reader, { ldp: this.#target, parts });
  }

  #update(store: import('oxigraph').Store): void {
    for (const segment of this.#segments) {
      store.update(runnableText(segment, this.#source), { base_iri: this.#target });
    }
  }

  /** `before` loses what is there still. */
  #difference(before: Set<string>, after: readonly string[]): PatchSteps {
    const added = after.filter((line) => !before.delete(line)).map(termsOf);
    const rows = new PatchRows(this.#source.length + after.length);
    this.#pushRemoved(before, rows);
    const spell = this.#spelling(added.map(([, , object]) => object));
    for (const [subject, predicate, object] of added) rows.push(true, subject, predicate, spell(object));
    return rows.finish();
  }

  /** Finds what was removed by how Oxigraph writes it. */
  #pushRemoved(removed: ReadonlySet<string>, rows: PatchRows): void {
    if (removed.size === 0) return;
    const spellings = this.#spellingsOf(Array.from(removed, (line) => termsOf(line)[2]));
    const triples = this.#representation();
    while (triples.next()) {
      const [subject, predicate, object] = [triples.subject, triples.predicate, triples.object].map((id) =>
        this.#reader.text(id),
      ) as [string, string, string];
      const line = `${subject} ${predicate} ${spellings.get(object) ?? object} .`;
      if (removed.has(line)) rows.push(false, subject, predicate, object);
    }
  }

  /** How to write a literal that was added: as in the update, else as in the representation, if it is there. */
  #spelling(objects: readonly string[]): (object: string) => string {
    if (!objects.some(hasSpelling)) return (object) => object;
    const inUpdate = oxigraphSpellings(this.#oxigraph, literalsIn(this.#segments));
    const writtenAs = new Map<string, string>();
    for (const spellings of [this.#spellingsOf(objects), inUpdate]) {
      for (const [written, spelling] of spellings) writtenAs.set(spelling, written);
    }
    return (object) => writtenAs.get(object) ?? object;
  }

  /** How Oxigraph writes the literals of the representation; of use where it wrote some of these terms. */
  #spellingsOf(terms: readonly string[]): Map<string, string> {
    if (!terms.some(hasSpelling)) return new Map();
    const literals = new Set<string>();
    const triples = this.#representation();
    while (triples.next()) {
      const object = this.#reader.text(triples.object);
      if (hasSpelling(object)) literals.add(object);
    }
    return oxigraphSpellings(this.#oxigraph, literals);
  }
}
