import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import type { Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import { newIdentity } from '../../pool/tasks/map.ts';
import type { ContentGarbageCollector } from '../../services/content/garbage-collector.ts';
import { watchClient } from '../../services/tasks/watch-client.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { LdpEntry } from '../registry.ts';
import type { BodyReader } from './body-reader.ts';
import type { LdpCommits } from './commits.ts';
import { ldpFailure } from './errors.ts';
import type { LdpSpace } from './space.ts';
import type { ReadyDocument } from './staged-payload.ts';
import type { LdpWritten } from './written.ts';

export interface LdpEditorParts {
  readonly space: LdpSpace;
  readonly store: Pick<StoreClient, 'snapshot'>;
  readonly pool: Pick<Pool, 'readLdpPatch'>;
  readonly bodies: BodyReader;
  readonly commits: LdpCommits;
  readonly garbageCollector: Pick<ContentGarbageCollector, 'release'>;
  /** Maximum size of a patch, in decoded bytes. */
  readonly patchBytes: number;
}

/**
 * Changes existing resources. A thread checks the change against the resource in a snapshot. The
 * change is committed only if the resource is still in that state; otherwise the error is
 * `precondition-failed`.
 */
export class LdpEditor {
  readonly #parts: LdpEditorParts;

  constructor(parts: LdpEditorParts) {
    this.#parts = parts;
  }

  /**
   * Replaces the user triples of an RDF source by those of the body. `entry`: from the newest
   * snapshot.
   */
  async replace(
    uri: string,
    entry: LdpEntry,
    document: ReadyDocument,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const { bodies, commits } = this.#parts;
    const read = await bodies.read(uri, document, { kind: 'replace' }, caller);
    if (!read.ok) return read;
    const { body, work } = read.value;
    const operation = { kind: 'ldp-replace', target: uri, block: body.block } as const;
    return changed(uri, entry, await commits.change(operation, entry, work));
  }

  /** Replaces the content of a binary. */
  async replaceContent(uri: string, entry: LdpEntry, content: StoredContent): Promise<Result<LdpWritten>> {
    const { space, commits, garbageCollector } = this.#parts;
    const before = space.content(uri);
    const operation = { kind: 'ldp-content', target: uri, content } as const;
    const committed = await commits.change(operation, entry);
    if (committed.ok && before) await garbageCollector.release(before.digest);
    return changed(uri, entry, committed);
  }

  /** Applies a patch to an RDF source in its state in the newest snapshot. */
  async patch(
    uri: string,
    entry: LdpEntry,
    { document, body }: ReadyDocument,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const { store, pool, commits, patchBytes } = this.#parts;
    const hasLeft = watchClient(caller);
    const { mediaType, gzip, charset } = document;
    const detail = { format: mediaType, resource: uri, bytes: String(body.length) };
    const info = { identity: newIdentity(), group: 'LDP', label: 'LDP patch', detail };
    const { snapshot } = store;
    const text = { body: body.slice(), mediaType, gzip, ...(charset && { charset }) };
    const visible = visiblePatterns(caller);
    const request = { ...text, maxBytes: patchBytes, target: uri, snapshot, ...(visible && { visible }) };
    const read = await pool.readLdpPatch(request, info, caller);
    if (!read.ok) return read;
    if (hasLeft()) return ldpFailure('cancelled', uri);
    const operation = { kind: 'ldp-edit', target: uri, ...read.value } as const;
    return changed(uri, entry, await commits.change(operation, entry, { info, caller }));
  }
}

function changed(uri: string, { kind }: LdpEntry, committed: Result<string>): Result<LdpWritten> {
  return committed.ok
    ? { ok: true, value: { uri, kind, created: false, state: committed.value } }
    : committed;
}
