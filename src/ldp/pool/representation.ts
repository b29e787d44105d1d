import type { LdpRepresentation } from '../../pool/messages.ts';
import { FilteredQuads } from '../../rdf/model/filtered-quads.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { formatTerm, iri } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { LDP_GRAPH } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { ldpEntry } from '../registry.ts';
import { isOfPart, type ManagedPattern, managedPatterns } from './managed-patterns.ts';
import { ShownTriples } from './shown-triples.ts';

/** A sequence of triples or quads. */
type Triples = Pick<QuadCursor, 'subject' | 'predicate' | 'object' | 'next'>;

/**
 * The representation of an RDF source, or parts of it (http-api L-10, 5.5): its user triples and
 * its managed triples, without duplicates. Those with the resource as subject come first, then
 * subject by subject, predicate by predicate. Only the triples of one predicate with few objects
 * are collected in memory, so a container of any size can be written. A URI without an RDF source
 * has no triples. A client that does not see everything gets what it sees of the managed triples.
 */
export class RepresentationCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly graph = NO_TERM;
  subject: TermId = NO_TERM;
  predicate: TermId = NO_TERM;
  object: TermId = NO_TERM;
  readonly #target: TermId;
  /** The sources that have triples left, each positioned at its next one. */
  readonly #sources: Triples[];

  /** `visible`: names of what the client sees; undefined if it sees everything. */
  constructor(reader: SnapshotReader, source: LdpRepresentation, visible?: IriPatterns) {
    this.terms = reader.terms;
    this.#target = idOf(reader, source.ldp);
    const shown = new ShownTriples(reader, visible);
    this.#sources = sourcesOf(reader, source, this.#target, shown).filter((each) => each.next());
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

  /** Advances all sources past the current triple. */
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

  /** Ranks the resource before all other subjects. */
  #rank(subject: TermId): number {
    return subject === this.#target ? NO_TERM : subject;
  }
}

/** Returns the sources. Each of them is in the order of the whole. */
function sourcesOf(
  reader: SnapshotReader,
  { ldp: uri, parts }: LdpRepresentation,
  target: TermId,
  shown: ShownTriples,
): Triples[] {
  const entry = ldpEntry(reader, uri);
  if (entry === undefined || entry === 'gone') return [];
  const managed = managedPatterns(reader, uri, entry.kind, shown)
    .filter(({ part }) => parts[part])
    .flatMap((pattern) => managedTriples(reader, target, pattern, shown));
  return parts.minimal ? [...userTriples(reader, target), ...managed] : managed;
}

/**
 * Returns the quads of the resource's own graph. They are ordered by subject, but those about the
 * resource come first.
 */
function userTriples(reader: SnapshotReader, target: TermId): Triples[] {
  return [
    new FilteredQuads(reader.graphCursor(target), ({ subject }) => subject === target),
    new FilteredQuads(reader.graphCursor(target), ({ subject }) => subject !== target),
  ];
}

/** Returns those quads of the managed graph that belong to a pattern's sort and are shown. */
function managedTriples(
  reader: SnapshotReader,
  target: TermId,
  pattern: ManagedPattern,
  shown: ShownTriples,
): Triples[] {
  const graph = idOf(reader, LDP_GRAPH);
  const predicate = idOf(reader, pattern.predicate);
  const subject = pattern.subject === null ? null : idOf(reader, pattern.subject);
  const object = pattern.object === null ? null : idOf(reader, pattern.object);
  if (subject === NO_TERM || object === NO_TERM || predicate === NO_TERM) return [];
  const oneOf = (of: TermId) =>
    reader.hasQuad(of, predicate, object!, graph) && shown.has(pattern, of, predicate, object!)
      ? [new OneTriple(of, predicate, object!)]
      : [];
  if (subject !== null && object !== null) return oneOf(subject);
  const isOfSort = (quads: QuadCursor) =>
    quads.graph === graph &&
    isOfPart(pattern, () => reader.text(quads.object)) &&
    shown.has(pattern, quads.subject, quads.predicate, quads.object);
  if (subject !== null) return [new FilteredQuads(reader.subjectCursor(subject, predicate), isOfSort)];
  // The resource comes first, as for user triples.
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
