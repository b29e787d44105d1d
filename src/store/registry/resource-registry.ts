/**
 * The registry of resources in the system graph: which resources were created, and which content
 * they have. The main thread reads it for every redirect, so it compares integers and allocates
 * little.
 */
import { createHash } from 'node:crypto';
import { showsLdp } from '../../ldp/model/visibility.ts';
import { ldpEntry } from '../../ldp/registry.ts';
import { type IriPatterns, matchesPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { formatTerm, literal, parseTerm, RDF } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isServerGraph, SYSTEM_GRAPH_ID } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { SnapshotView } from '../../snapshot/read/view.ts';

/** Content of a resource; its bytes are in a file that is named by their digest. */
export interface StoredContent {
  /** `type/subtype`, with an optional charset: the value of `Content-Type`. */
  readonly contentType: string;
  readonly bytes: number;
  /** SHA-256 of the bytes, hexadecimal. */
  readonly digest: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Content as recorded in the registry. */
export interface RegisteredContent extends StoredContent {
  /** Number of the commit that stored this content. */
  readonly sequence: number;
}

export const REGISTERED = { predicate: `<${RDF}type>`, object: '<urn:x-pathpool:Resource>' } as const;

const CONTENT_TYPE = '<urn:x-pathpool:contentType>';
const BYTES = '<urn:x-pathpool:contentBytes>';
const DIGEST = '<urn:x-pathpool:contentDigest>';
const MODIFIED = '<urn:x-pathpool:contentModified>';
const SEQUENCE = '<urn:x-pathpool:contentSequence>';
export const contentPredicates: readonly string[] = [CONTENT_TYPE, BYTES, DIGEST, MODIFIED, SEQUENCE];

/** Returns the registry rows of one content: predicate and object, in canonical form. */
export function contentRows(content: RegisteredContent): [predicate: string, object: string][] {
  const { contentType, bytes, digest, modified, sequence } = content;
  return [
    [CONTENT_TYPE, text(contentType)],
    [BYTES, text(String(bytes))],
    [DIGEST, text(digest)],
    [MODIFIED, text(String(modified))],
    [SEQUENCE, text(String(sequence))],
  ];
}

/** Whether the resource was created and has not been deleted since (http-api R-1 (a)). */
export function isRegistered(reader: SnapshotReader, resource: TermId): boolean {
  if (resource === NO_TERM) return false;
  const type = reader.find(REGISTERED.predicate);
  return reader.hasQuad(resource, type, reader.find(REGISTERED.object), SYSTEM_GRAPH_ID);
}

/** Returns the value of `Content-Type`; undefined if the resource has no content. */
export function contentTypeOf(reader: SnapshotReader, resource: TermId): string | undefined {
  return resource === NO_TERM ? undefined : bookValue(reader.registry, resource, CONTENT_TYPE);
}

export function contentOf(reader: SnapshotReader, resource: TermId): RegisteredContent | undefined {
  const contentType = contentTypeOf(reader, resource);
  if (contentType === undefined) return undefined;
  const value = (predicate: string) => bookValue(reader.registry, resource, predicate) ?? '';
  return {
    contentType,
    bytes: Number(value(BYTES)),
    digest: value(DIGEST),
    modified: Number(value(MODIFIED)),
    sequence: Number(value(SEQUENCE)),
  };
}

/**
 * Returns the `<state>` of the content's entity tag. It is derived from bytes and type (http-api
 * R-62), and from the commit that stored them, so that the same bytes get another state if they are
 * stored again after a removal (G-72). `stateOf` returns the state of a commit's number.
 */
export function contentState(
  { digest, contentType, sequence }: Pick<RegisteredContent, 'digest' | 'contentType' | 'sequence'>,
  stateOf: (sequence: number) => string,
): string {
  const text = `${digest} ${contentType} ${stateOf(sequence)}`;
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Whether a resource has content with this digest. */
export function refersTo(reader: SnapshotReader, digest: string): boolean {
  const found: TermId[] = [];
  reader.registry.subjects(reader.find(DIGEST), reader.find(text(digest)), found);
  return found.length > 0;
}

/**
 * Whether a resource exists (http-api R-1; managed triples mention each live LDP resource).
 * `resource` is its id; `isGraph` returns whether a graph has a given name.
 */
export function resourceExists(
  reader: SnapshotReader,
  uri: string,
  isGraph: (name: string) => boolean,
  resource = reader.find(`<${uri}>`),
): boolean {
  return (
    (resource !== NO_TERM && (reader.mentions(resource) || isKept(reader, resource))) ||
    (isGraph(uri) && !isServerGraph(uri))
  );
}

/**
 * Whether a resource exists for a client that sees only some names (http-api G-163). Managed
 * triples are hidden from it, so they say nothing about LDP resources.
 */
export function existsWithin(
  visible: IriPatterns,
  reader: SnapshotReader,
  uri: string,
  isGraph: (name: string) => boolean,
): boolean {
  const resource = reader.find(`<${uri}>`);
  if (resource !== NO_TERM && reader.visibleTo(visible).mentions(resource)) return true;
  if (!matchesPatterns(visible, uri)) return false;
  if (isKept(reader, resource) || (isGraph(uri) && !isServerGraph(uri))) return true;
  const entry = ldpEntry(reader, uri);
  return entry !== undefined && entry !== 'gone' && showsLdp(visible, uri);
}

/** Whether the resource is in the registry. */
export function isKept(reader: SnapshotReader, resource: TermId): boolean {
  return isRegistered(reader, resource) || contentTypeOf(reader, resource) !== undefined;
}

function bookValue(registry: SnapshotView, resource: TermId, predicate: string): string | undefined {
  const found: TermId[] = [];
  registry.objects(resource, registry.find(predicate), found);
  return found[0] === undefined ? undefined : parseTerm(registry.text(found[0])).value;
}

function text(value: string): string {
  return formatTerm(literal(value));
}
