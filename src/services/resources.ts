import { v4 as uuid } from 'uuid';
import type { ErrorData, Result } from '../errors.ts';
import type { LdpKind } from '../ldp/model.ts';
import type { StoreClient } from '../store/client.ts';
import type { ContentKeeper } from './content-keeper.ts';
import type { ResourceIndex, ResourceName, ResourceView } from './resource-index.ts';

/** Resources as http-api 3.1 to 3.5 mean them. */
export class ResourceService {
  readonly #index: ResourceIndex;
  readonly #store: Pick<StoreClient, 'commit'>;
  readonly #keeper: Pick<ContentKeeper, 'release'>;
  readonly #base: string;

  constructor(
    index: ResourceIndex,
    store: Pick<StoreClient, 'commit'>,
    keeper: Pick<ContentKeeper, 'release'>,
    base: string,
  ) {
    this.#index = index;
    this.#store = store;
    this.#keeper = keeper;
    this.#base = base;
  }

  /** Undefined when the resource does not exist. */
  view(resource: ResourceName): ResourceView | undefined {
    return this.#index.view(resource);
  }

  /** Whether the URI is in the space that only `/ldp` writes. */
  isLdp(uri: string): boolean {
    return this.#index.isLdp(uri);
  }

  /** What it is in that space; undefined for what is not there. */
  ldpKind(uri: string): LdpKind | undefined {
    return this.#index.ldpKind(uri);
  }

  /** Why the resource may not be written: `ldp-managed`, `server-managed`, `writes-disabled`. */
  writable(uri: string): ErrorData | undefined {
    return this.#index.writable(uri);
  }

  /** A local URI that nobody has. */
  freshUri(): string {
    return `${this.#base}/resource/${uuid()}`;
  }

  /** Registers a resource durably; says whether it is new. */
  async create(uri: string): Promise<Result<{ readonly created: boolean }>> {
    if (this.#index.exists(uri)) return { ok: true, value: { created: false } };
    const committed = await this.#store.commit({
      preconditions: [],
      operations: [{ kind: 'register', resource: uri }],
    });
    if (!committed.ok) return committed;
    return { ok: true, value: { created: !committed.value.outcomes[0]?.existed } };
  }

  /** Removes all that is known of a resource; false when it was gone already. */
  async remove(uri: string): Promise<Result<boolean>> {
    const content = this.#index.content(uri);
    const keep = uri === this.#index.defaultGraph;
    const { ldpSpace: protectedSpace } = this.#index;
    const committed = await this.#store.commit({
      preconditions: [],
      operations: [{ kind: 'erase', resource: uri, keep, protectedSpace }],
    });
    if (!committed.ok) return committed;
    if (content) await this.#keeper.release(content.digest);
    return { ok: true, value: keep || committed.value.outcomes[0]?.existed === true };
  }
}
