import type { LdpParts, LdpRepresentation } from '../../pool/messages.ts';
import { FilteredQuads } from '../../rdf/model/filtered-quads.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { LDP_GRAPH, ldpEntry } from '../registry.ts';
import { isOfPart, type ManagedPattern, managedPatterns } from './managed-patterns.ts';

/** Triples, or quads, one after another. */
type Triples = Pick<QuadCursor, 'subject' | 'predicate' | 'object' | 'next'>;

/**
 * The representation of an RDF source, or parts of it (http-api L-10, 5.5): its user triples and the managed ones, each
 * once; those with the resource as subject first, then subject by subject, predicate by predicate. Nothing is gathered
 * but what belongs to one predicate of few objects, so a container of any size can be written. Of a URI where there is
 * no RDF source there is none.
 */
export class RepresentationCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly graph = NO_TERM;
  subject: TermId = NO_TERM;
  predicate: TermId = NO_TERM;
  object: TermId = NO_TERM;
  readonly #target: TermId;
  /** Those that have a triple left, each at its first one that was not given yet. */
  readonly #sources: Triples[];

  constructor(reader: SnapshotReader, { ldp, parts }: LdpRepresentation) {
    this.terms = reader.terms;
    this.#target = idOf(reader, ldp);
    this.#sources = sourcesOf(reader, ldp, this.#target, parts).filter((source) => source.next());
  }

  next(): boolean {
    const first = this.#first();
    if (!first) return false;
    const { subject, predicate, object } = first;
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
    this.#pass();
    return true;
  }

  #first(): Triples | undefined {
    const sources = this.#sources;
    let first = sources[0];
    for (let i = 1; i < sources.length; i++) {
      if (this.#compare(sources[i]!, first!) < 0) first = sources[i];
    }
    return first;
  }

  /** Moves all sources past the current triple. */
  #pass(): void {
    for (let i = this.#sources.length - 1; i >= 0; i--) {
      const source = this.#sources[i]!;
      if (this.#compare(source, this) === 0 && !source.next()) this.#sources.splice(i, 1);
    }
  }

  #compare(a: Omit<Triples, 'next'>, b: Omit<Triples, 'next'>): number {
    if (a.subject !== b.subject) return this.#rank(a.subject) - this.#rank(b.subject);
    return a.predicate - b.predicate || a.object - b.object;
  }

  /** The resource goes before all others. */
  #rank(subject: TermId): number {
    return subject === this.#target ? NO_TERM : subject;
  }
}

/** Each of them in the order of the whole. */
function sourcesOf(reader: SnapshotReader, uri: string, target: TermId, parts: LdpParts): Triples[] {
  const entry = ldpEntry(reader, uri);
  if (entry === undefined || entry === 'gone') return [];
  const graph = idOf(reader, LDP_GRAPH);
  const managed = managedPatterns(reader, uri, entry.kind)
    .filter(({ part }) => parts[part])
    .flatMap((pattern) => managedTriples(reader, target, graph, pattern));
  return parts.minimal ? [...userTriples(reader, target), ...managed] : managed;
}

/** The quads of the resource's own graph: they come by subject, but what is said of the resource goes before the rest. */
function userTriples(reader: SnapshotReader, target: TermId): Triples[] {
  return [
    new FilteredQuads(reader.graphCursor(target), ({ subject }) => subject === target),
    new FilteredQuads(reader.graphCursor(target), ({ subject }) => subject !== target),
  ];
}

/** The quads of the managed graph that are of a pattern's sort. */
function managedTriples(
  reader: SnapshotReader,
  target: TermId,
  graph: TermId,
  pattern: ManagedPattern,
): Triples[] {
  const predicate = idOf(reader, pattern.predicate);
  const subject = pattern.subject === null ? null : idOf(reader, pattern.subject);
  const object = pattern.object === null ? null : idOf(reader, pattern.object);
  if (subject === NO_TERM || object === NO_TERM || predicate === NO_TERM) return [];
  const oneOf = (of: TermId) =>
    reader.hasQuad(of, predicate, object!, graph) ? [new OneTriple(of, predicate, object!)] : [];
  if (subject !== null && object !== null) return oneOf(subject);
  const isOfSort = (quads: QuadCursor) =>
    quads.graph === graph && isOfPart(pattern, () => reader.text(quads.object));
  if (subject !== null) return [new FilteredQuads(reader.subjectCursor(subject, predicate), isOfSort)];
  // As with the user triples.
  const others = (quads: QuadCursor) => quads.subject !== target && isOfSort(quads);
  return [...oneOf(target), new FilteredQuads(reader.objectCursor(object!, predicate), others)];
}

class OneTriple implements Triples {
  readonly subject: TermId;
  readonly predicate: TermId;
  readonly object: TermId;
  #given = false;

  constructor(subject: TermId, predicate: TermId, object: TermId) {
    this.subject = subject;
    this.predicate = predicate;
    this.object = object;
  }

  next(): boolean {
    const first = !this.#given;
    this.#given = true;
    return first;
  }
}

function idOf(reader: SnapshotReader, value: string): TermId {
  return reader.find(formatTerm(iri(value)));
}
