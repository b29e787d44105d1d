import {
  maySee,
  type Restricted,
  seesEverything,
  visiblePatterns,
  writeDenial,
} from '../../base/graph-access.ts';
import { type ErrorData, noSuchResource } from '../../errors.ts';
import type { LdpKind } from '../../ldp/model/kinds.ts';
import { showsLdp } from '../../ldp/model/visibility.ts';
import { ldpEntry } from '../../ldp/registry.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isServerGraph } from '../../snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { SnapshotCache } from '../../snapshot/read/snapshot-cache.ts';
import { isWithin, ldpManaged, serverManaged } from '../../store/graphs/protected-graphs.ts';
import type { StoreClient } from '../../store/main/client.ts';
import {
  contentOf,
  contentTypeOf,
  existsWithin,
  isKept,
  type RegisteredContent,
  refersTo,
  resourceExists,
} from '../../store/registry/resource-registry.ts';

/** A resource: a URI, or a blank node by its label, without `_:` (http-api 3.2). */
export type ResourceName =
  | { readonly kind: 'uri'; readonly uri: string }
  | { readonly kind: 'blank'; readonly label: string };

/** The representations that content negotiation can choose from. */
export interface ResourceView {
  /** The `Content-Type` of the resource's content; undefined if it has none. */
  readonly contentType: string | undefined;
}

/**
 * Queries about resources in the newest snapshot, as a client sees it (http-api 1.19). They run on
 * the main thread and take some hundred nanoseconds each; but for a client that may not read all
 * graphs, the first one about a term after a commit may read all hidden quads with it.
 */
export class ResourceIndex {
  /** Always exists (C-2), and receives the triples that are written through `/meta`. */
  readonly defaultGraph: string;
  /** URIs in this space are writable only through `/ldp`. */
  readonly ldpSpace: string;
  readonly #store: Pick<StoreClient, 'snapshot' | 'graphs' | 'writeError'>;
  readonly #snapshots = new SnapshotCache();
  readonly #isGraph = (name: string) =>
    name === this.defaultGraph || (!isServerGraph(name) && this.#store.graphs.get(name) !== undefined);

  constructor(store: Pick<StoreClient, 'snapshot' | 'graphs' | 'writeError'>, base: string) {
    this.#store = store;
    this.defaultGraph = `${base}/context/default`;
    this.ldpSpace = `${base}/ldp`;
  }

  /** Returns undefined if the resource does not exist. */
  view(resource: ResourceName, client: Restricted): ResourceView | undefined {
    const visible = visiblePatterns(client);
    if (resource.kind === 'blank') {
      return this.#isMentioned(`_:${resource.label}`, visible) ? { contentType: undefined } : undefined;
    }
    const { uri } = resource;
    const reader = this.#reader;
    if (visible) {
      if (!existsWithin(visible, reader, uri, this.#isGraph)) return undefined;
      return { contentType: this.content(uri, client)?.contentType };
    }
    const id = reader.find(`<${uri}>`);
    const contentType = contentTypeOf(reader, id);
    const exists = contentType !== undefined || resourceExists(reader, uri, this.#isGraph, id);
    return exists ? { contentType } : undefined;
  }

  exists(uri: string, client: Restricted): boolean {
    return this.view({ kind: 'uri', uri }, client) !== undefined;
  }

  /**
   * Whether a resource exists although no triple may contain it: it is registered, has content, or
   * is the name of a graph, or for a client from which managed triples are hidden, it is an LDP
   * resource.
   */
  isKnown(uri: string, client: Restricted): boolean {
    if (!maySee(client, uri)) return false;
    if (this.#isGraph(uri) || isKept(this.#reader, this.#find(uri))) return true;
    return !seesEverything(client) && this.ldpKind(uri, client) !== undefined;
  }

  content(uri: string, client: Restricted): RegisteredContent | undefined {
    return maySee(client, uri) ? contentOf(this.#reader, this.#find(uri)) : undefined;
  }

  /** For a client that may not read all graphs it may read all hidden quads of the subject. */
  hasDescription(uri: string, client: Restricted): boolean {
    return this.#reader.visibleTo(visiblePatterns(client)).subjectCursor(this.#find(uri)).next();
  }

  /** Returns why the client can't create the resource or store its content (G-162, G-163). */
  denial(uri: string, client: Restricted): ErrorData | undefined {
    return this.writeError ?? writeDenial(client, uri, noSuchResource(uri).error);
  }

  /** Why writes are disabled; undefined if they are enabled. */
  get writeError(): ErrorData | undefined {
    return this.#store.writeError;
  }

  isReferred(digest: string): boolean {
    return refersTo(this.#reader, digest);
  }

  /** Returns why the resource is read-only, or undefined if it is writable (R-3, C-5). */
  writable(uri: string): ErrorData | undefined {
    if (isServerGraph(uri)) return serverManaged(uri);
    return this.isLdp(uri) ? ldpManaged(uri) : this.#store.writeError;
  }

  isLdp(uri: string): boolean {
    return isWithin(uri, this.ldpSpace);
  }

  /** Returns undefined if the resource is not, or is no longer, in the LDP space. */
  ldpKind(uri: string, client: Restricted): LdpKind | undefined {
    if (!showsLdp(visiblePatterns(client), uri)) return undefined;
    const entry = ldpEntry(this.#reader, uri);
    return entry === undefined || entry === 'gone' ? undefined : entry.kind;
  }

  get #reader(): SnapshotReader {
    return this.#snapshots.open(this.#store.snapshot);
  }

  #find(uri: string): TermId {
    return this.#reader.find(`<${uri}>`);
  }

  #isMentioned(term: string, visible: IriPatterns | undefined): boolean {
    const id = this.#reader.find(term);
    return id !== NO_TERM && this.#reader.visibleTo(visible).mentions(id);
  }
}
