import { v4 as uuid } from 'uuid';
import {
  accessOf,
  maySee,
  newNameDenial,
  type Restricted,
  visiblePatterns,
} from '../../base/graph-access.ts';
import type { Precondition } from '../../base/precondition.ts';
import type { ErrorData, Result } from '../../errors.ts';
import type { LdpKind } from '../../ldp/model/kinds.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { ContentGarbageCollector } from '../content/garbage-collector.ts';
import type { ResourceIndex, ResourceName, ResourceView } from './existence.ts';

/** Resources as http-api 3.1 to 3.5 define them. */
export class ResourceService {
  readonly #index: ResourceIndex;
  readonly #store: Pick<StoreClient, 'commit'>;
  readonly #garbageCollector: Pick<ContentGarbageCollector, 'release'>;
  readonly #base: string;

  constructor(
    index: ResourceIndex,
    store: Pick<StoreClient, 'commit'>,
    garbageCollector: Pick<ContentGarbageCollector, 'release'>,
    base: string,
  ) {
    this.#index = index;
    this.#store = store;
    this.#garbageCollector = garbageCollector;
    this.#base = base;
  }

  /** Returns undefined if the resource does not exist. */
  view(resource: ResourceName, client: Restricted): ResourceView | undefined {
    return this.#index.view(resource, client);
  }

  /** Whether the URI is in the space that is writable only through `/ldp`. */
  isLdp(uri: string): boolean {
    return this.#index.isLdp(uri);
  }

  /** Returns the kind of an LDP resource, or undefined if there is no such LDP resource. */
  ldpKind(uri: string, client: Restricted): LdpKind | undefined {
    return this.#index.ldpKind(uri, client);
  }

  /**
   * Returns why the resource is read-only: `ldp-managed`, `server-managed` or `writes-disabled`.
   */
  writable(uri: string): ErrorData | undefined {
    return this.#index.writable(uri);
  }

  /** Returns why the client can't create the resource; `isFresh`: its URI is one of `freshUri`. */
  creationDenial(uri: string, isFresh: boolean, client: Restricted): ErrorData | undefined {
    return isFresh ? newNameDenial(client, uri) : this.#index.denial(uri, client);
  }

  /** Returns a local URI that is not in use. */
  freshUri(): string {
    return `${this.#base}/resource/${uuid()}`;
  }

  /** Registers a resource durably; returns whether it is new. */
  async create(uri: string, client: Restricted): Promise<Result<{ readonly created: boolean }>> {
    if (this.#index.exists(uri, client)) return { ok: true, value: { created: false } };
    const committed = await this.#store.commit({
      preconditions: [],
      operations: [{ kind: 'register', resource: uri, ...accessOf(client) }],
    });
    if (!committed.ok) return committed;
    return { ok: true, value: { created: !committed.value.outcomes[0]?.existed } };
  }

  /**
   * Removes all data about a resource that the client sees; returns false if it did not
   * exist any more. Errors: `precondition-failed`, `forbidden`.
   */
  async remove(
    uri: string,
    precondition: Precondition | undefined,
    client: Restricted,
  ): Promise<Result<boolean>> {
    const content = this.#index.content(uri, client);
    const visible = visiblePatterns(client);
    const keep = uri === this.#index.defaultGraph || !maySee(client, uri);
    const { ldpSpace: protectedSpace } = this.#index;
    const committed = await this.#store.commit({
      preconditions: precondition
        ? [{ ...precondition, resource: uri, aspect: 'either', ...(visible && { visible }) }]
        : [],
      operations: [{ kind: 'erase', resource: uri, keep, protectedSpace, ...accessOf(client) }],
    });
    if (!committed.ok) return committed;
    if (content) await this.#garbageCollector.release(content.digest);
    return { ok: true, value: keep || committed.value.outcomes[0]?.existed === true };
  }
}
