import type { Caller } from '../../base/caller.ts';
import { accessOf, type Restricted, visiblePatterns } from '../../base/graph-access.ts';
import type { Precondition } from '../../base/precondition.ts';
import { type ErrorData, errorData, type Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import type { TaskInfo } from '../../pool/tasks/map.ts';
import type { PendingCommit, StoreClient } from '../../store/main/client.ts';
import { firstOutcome } from '../../store/main/transaction.ts';
import { type DescriptionState, descriptionTag } from '../../store/registry/description-state.ts';
import type { ResourceOperation } from '../../store/registry/resource-operation.ts';
import { newestOf } from '../../store/registry/resource-state.ts';
import type { RdfPayload } from '../rdf-payload.ts';
import { type ImportTasks, newImport } from '../tasks/import-tasks.ts';
import { watchClient } from '../tasks/watch-client.ts';
import type { ResourceIndex, ResourceName } from './existence.ts';

export interface MetaInfo {
  /** The `<state>` of the description's entity tags. */
  readonly state: string;
  /** Milliseconds since 1970 (G-73). */
  readonly modified: number;
}

export interface MetaDocument extends MetaInfo {
  /**
   * Returns the document: as a whole if it is small, otherwise in chunks as fast as the client
   * reads them. Call it at most once.
   */
  open(caller: Caller): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>>;
}

export interface MetaOutcome {
  /** Whether the resource did not exist before. */
  readonly created: boolean;
  readonly added: number;
  readonly removed: number;
  /** Number of triples in the payload that do not describe the resource. */
  readonly ignored: number;
}

/** Descriptions of resources (http-api 3.6). */
export class MetaService {
  readonly #index: ResourceIndex;
  readonly #store: StoreClient;
  readonly #pool: Pick<Pool, 'parse' | 'readDescription' | 'serialize'>;
  readonly #imports: ImportTasks;

  constructor(index: ResourceIndex, store: StoreClient, pool: Pool, imports: ImportTasks) {
    this.#index = index;
    this.#store = store;
    this.#pool = pool;
    this.#imports = imports;
  }

  /**
   * Returns the `Content-Type` of the content, if there is any; undefined if the resource does not
   * exist.
   */
  view(resource: ResourceName, client: Restricted) {
    return this.#index.view(resource, client);
  }

  hasDescription(uri: string, client: Restricted): boolean {
    return this.#index.hasDescription(uri, client);
  }

  /** See `ResourceService.writable`. */
  writable(uri: string): ErrorData | undefined {
    return this.#index.writable(uri);
  }

  /** Returns the validators of a description, without its document. */
  async info(resource: ResourceName, caller: Caller): Promise<Result<MetaInfo>> {
    const info = exportInfo(resource);
    const visible = visiblePatterns(caller);
    const request = { snapshot: this.#store.snapshot, node: nodeOf(resource), ...(visible && { visible }) };
    const found = await this.#pool.readDescription(request, info, caller);
    return found.ok ? { ok: true, value: this.#info(found.value) } : found;
  }

  /** Returns the description as a document of the (canonical) media type. */
  async read(resource: ResourceName, mediaType: string, caller: Caller): Promise<Result<MetaDocument>> {
    const node = nodeOf(resource);
    const info = exportInfo(resource, mediaType);
    const { snapshot } = this.#store;
    const visible = visiblePatterns(caller);
    const shown = { snapshot, mediaType, ...(visible && { visible }) };
    const found = await this.#pool.readDescription({ ...shown, node }, info, caller);
    if (!found.ok) return found;
    const { document } = found.value;
    const open: MetaDocument['open'] = (reader) =>
      document
        ? Promise.resolve({ ok: true, value: document })
        : this.#pool.serialize({ ...shown, source: { description: node } }, info, reader);
    return { ok: true, value: { ...this.#info(found.value), open } };
  }

  /** Replaces the description by the payload. It is durable when the promise resolves. */
  async replace(
    uri: string,
    payload: RdfPayload,
    precondition: Precondition | undefined,
    caller: Caller,
  ): Promise<Result<MetaOutcome>> {
    const hasLeft = watchClient(caller);
    const task = newImport(this.#index.defaultGraph, payload, caller);
    const parsed = await this.#pool.parse(payload, task.info, caller);
    if (!parsed.ok) return parsed;
    if (hasLeft()) return gone;
    // Errors in the body are reported before errors in the target (http-api 1.10).
    const forbidden = this.writable(uri);
    if (forbidden) return { ok: false, error: forbidden };
    const block = parsed.value;
    const { defaultGraph, ldpSpace: protectedSpace } = this.#index;
    const operation = {
      kind: 'describe',
      resource: uri,
      block,
      defaultGraph,
      protectedSpace,
      ...accessOf(caller),
    } as const;
    const triples = block.quads.length / 4;
    const commit = this.#begin(operation, precondition, caller);
    const committed = firstOutcome(await this.#imports.during(task, triples, commit));
    if (!committed.ok) return committed;
    const { existed, added, removed, ignored = 0 } = committed.value;
    // If no triple describes the resource, the added quad is its entry in the registry.
    return {
      ok: true,
      value: { created: !existed, added: triples === ignored ? 0 : added, removed, ignored },
    };
  }

  /** Removes the description. Errors: `precondition-failed`, `forbidden`. */
  async remove(
    uri: string,
    precondition: Precondition | undefined,
    client: Restricted,
  ): Promise<Result<void>> {
    const { ldpSpace: protectedSpace } = this.#index;
    const operation = { kind: 'undescribe', resource: uri, protectedSpace, ...accessOf(client) } as const;
    const committed = firstOutcome(await this.#begin(operation, precondition, client).result);
    return committed.ok ? { ok: true, value: undefined } : committed;
  }

  #begin(
    operation: ResourceOperation,
    precondition: Precondition | undefined,
    client: Restricted,
  ): PendingCommit {
    const { resource } = operation;
    const visible = visiblePatterns(client);
    return this.#store.beginCommit({
      preconditions: precondition
        ? [{ ...precondition, resource, aspect: 'description', ...(visible && { visible }) }]
        : [],
      operations: [operation],
    });
  }

  #info(found: DescriptionState): MetaInfo {
    const state = descriptionTag(found, this.#store.graphs, (sequence) => this.#store.state(sequence));
    return { state, modified: newestOf(found.graphs, this.#store.graphs) || this.#store.created };
  }
}

function nodeOf(resource: ResourceName): string {
  return resource.kind === 'uri' ? `<${resource.uri}>` : `_:${resource.label}`;
}

function exportInfo(resource: ResourceName, format?: string): TaskInfo {
  const detail = { ...(format && { format }), resource: nodeOf(resource) };
  return { group: 'Exporter', label: 'RDF export', unit: 'bytes', detail };
}

const gone: { ok: false; error: ErrorData } = {
  ok: false,
  error: errorData('cancelled', 'The client disconnected before anything was stored.'),
};
