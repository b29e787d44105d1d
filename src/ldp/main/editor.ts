import type { Caller } from '../../base/caller.ts';
import type { Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { newIdentity } from '../../pool/tasks/map.ts';
import type { ContentGarbageCollector } from '../../services/content/garbage-collector.ts';
import { watchClient } from '../../services/tasks/watch-client.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { LdpEntry } from '../registry.ts';
import { readBody } from './body-reader.ts';
import type { LdpCommits } from './commits.ts';
import { ldpFailure } from './errors.ts';
import type { LdpDocument } from './request-payload.ts';
import type { LdpSpace } from './space.ts';
import type { ReadyPayload } from './staged-payload.ts';
import type { LdpWritten } from './written.ts';

/**
 * Changes existing resources. A thread checks the change against the resource in a snapshot. The
 * change is committed only if the resource is still in that state; otherwise the error is
 * `precondition-failed`.
 */
export class LdpEditor {
  readonly #store: Pick<StoreClient, 'snapshot'>;
  readonly #pool: Pick<Pool, 'readLdpBody' | 'readLdpPatch'>;
  readonly #commits: LdpCommits;
  readonly #garbageCollector: Pick<ContentGarbageCollector, 'release'>;
  readonly #space: LdpSpace;
  readonly #patchBytes: number;

  constructor(
    store: Pick<StoreClient, 'snapshot'>,
    pool: Pick<Pool, 'readLdpBody' | 'readLdpPatch'>,
    commits: LdpCommits,
    garbageCollector: Pick<ContentGarbageCollector, 'release'>,
    space: LdpSpace,
    patchBytes: number,
  ) {
    this.#store = store;
    this.#pool = pool;
    this.#commits = commits;
    this.#garbageCollector = garbageCollector;
    this.#space = space;
    this.#patchBytes = patchBytes;
  }

  /**
   * Replaces the user triples of an RDF source by those of the body. `entry`: from the newest
   * snapshot.
   */
  async replace(
    uri: string,
    entry: LdpEntry,
    document: Extract<ReadyPayload, { kind: 'document' }>,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const read = await readBody(this.#store, this.#pool, uri, document, { kind: 'replace' }, caller);
    if (!read.ok) return read;
    const { body, work } = read.value;
    const operation = { kind: 'ldp-replace', target: uri, block: body.block } as const;
    return changed(uri, entry, await this.#commits.change(operation, entry, work));
  }

  /** Replaces the content of a binary. */
  async replaceContent(uri: string, entry: LdpEntry, content: StoredContent): Promise<Result<LdpWritten>> {
    const before = this.#space.content(uri);
    const operation = { kind: 'ldp-content', target: uri, content } as const;
    const committed = await this.#commits.change(operation, entry);
    if (committed.ok && before) await this.#garbageCollector.release(before.digest);
    return changed(uri, entry, committed);
  }

  /** Applies a patch to an RDF source in its state in the newest snapshot. */
  async patch(
    uri: string,
    entry: LdpEntry,
    { mediaType, gzip, charset }: LdpDocument,
    body: Uint8Array,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const hasLeft = watchClient(caller);
    const detail = { format: mediaType, resource: uri, bytes: String(body.length) };
    const info = { identity: newIdentity(), group: 'LDP', label: 'LDP patch', detail };
    const { snapshot } = this.#store;
    const document = { body: body.slice(), mediaType, gzip, ...(charset && { charset }) };
    const request = { ...document, maxBytes: this.#patchBytes, target: uri, snapshot };
    const read = await this.#pool.readLdpPatch(request, info, caller);
    if (!read.ok) return read;
    if (hasLeft()) return ldpFailure('cancelled', uri);
    const operation = { kind: 'ldp-edit', target: uri, ...read.value } as const;
    return changed(uri, entry, await this.#commits.change(operation, entry, { info, caller }));
  }
}

function changed(uri: string, { kind }: LdpEntry, committed: Result<string>): Result<LdpWritten> {
  return committed.ok
    ? { ok: true, value: { uri, kind, created: false, state: committed.value } }
    : committed;
}
