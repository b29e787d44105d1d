import type { Caller } from '../../base/caller.ts';
import { newNameDenial } from '../../base/graph-access.ts';
import { type Precondition, preconditionHolds } from '../../base/precondition.ts';
import type { Failure, Result } from '../../errors.ts';
import type { Pool } from '../../pool/pool.ts';
import type { ContentStorage } from '../../services/content/content.ts';
import type { ImportTasks } from '../../services/tasks/import-tasks.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { InteractionModel } from '../model/kinds.ts';
import { isReserved } from '../model/names.ts';
import type { LdpEntry } from '../registry.ts';
import { BodyReader } from './body-reader.ts';
import { LdpCommits } from './commits.ts';
import { type Creation, LdpCreator } from './creator.ts';
import type { LdpDocuments } from './documents.ts';
import { LdpEditor } from './editor.ts';
import { ldpFailure } from './errors.ts';
import { agrees, type RequestedInteractionModel } from './interaction-model.ts';
import { NameAllocator } from './name-allocator.ts';
import { ShownPreconditions } from './permissions/shown-preconditions.ts';
import type { LdpDocument, LdpPayload } from './request-payload.ts';
import { ResourceLock } from './resource-lock.ts';
import { namesFromSlug } from './slug.ts';
import type { LdpSpace } from './space.ts';
import { Draft, type ReadyPayload } from './staged-payload.ts';
import type { LdpWritten } from './written.ts';

export interface LdpWriteParts extends ContentStorage {
  readonly space: LdpSpace;
  readonly store: StoreClient;
  readonly pool: Pool;
  readonly documents: LdpDocuments;
  readonly imports: ImportTasks;
}

export interface LdpSettings {
  /** The model of an RDF source if neither the request nor its body states one (http-api 5.8). */
  readonly defaultModel: InteractionModel;
  /**
   * Whether a PUT to an existing resource must state which state the client has seen (http-api
   * 5.9).
   */
  readonly requireIfMatch: boolean;
  /** Maximum size of a patch, in decoded bytes. */
  readonly patchBytes: number;
}

interface Request {
  readonly precondition: Precondition | undefined;
  /**
   * The model that its links ask for. An error is reported only if the conditions hold (http-api
   * L-63).
   */
  readonly requested: Result<RequestedInteractionModel | null>;
  readonly payload: LdpPayload;
}

export interface LdpPost extends Request {
  readonly slug: string | undefined;
}

export type LdpPut = Request;

export interface LdpPatchRequest {
  readonly precondition: Precondition | undefined;
  readonly document: LdpDocument;
}

/** The conditions of a write, which each attempt checks again. */
interface Conditions {
  /** Returns the precondition as the store knows states. */
  readonly current: () => Promise<Result<Precondition | undefined>>;
  readonly check: (precondition: Precondition | undefined) => Failure | undefined;
}

/** One attempt of a PUT. */
interface PutAttempt {
  readonly uri: string;
  /** Undefined if there is no such resource. */
  readonly entry: LdpEntry | undefined;
  readonly put: LdpPut;
  readonly ready: ReadyPayload;
}

/**
 * Maximum attempts of a write that loses races. From the second attempt on it holds the resource
 * lock and rarely loses.
 */
const ATTEMPTS = 16;

/**
 * All operations that change the LDP space (http-api 5.6 to 5.11). Their effects are durable when
 * the promises resolve.
 */
export class LdpWrites {
  readonly #space: LdpSpace;
  readonly #store: Pick<StoreClient, 'writeError'>;
  readonly #settings: LdpSettings;
  readonly #storage: ContentStorage;
  readonly #shown: ShownPreconditions;
  readonly #names: NameAllocator;
  readonly #lock = new ResourceLock();
  readonly #bodies: BodyReader;
  readonly #commits: LdpCommits;
  readonly #creator: LdpCreator;
  readonly #editor: LdpEditor;

  constructor(parts: LdpWriteParts, settings: LdpSettings) {
    const { space, store, pool, imports } = parts;
    this.#space = space;
    this.#store = store;
    this.#settings = settings;
    this.#storage = parts;
    this.#shown = new ShownPreconditions(space, parts.documents);
    this.#names = new NameAllocator((uri) => space.entry(uri) !== undefined);
    this.#bodies = new BodyReader(store, pool);
    this.#commits = new LdpCommits(store, space, imports, this.#lock);
    this.#creator = new LdpCreator(this.#bodies, this.#commits, {
      defaultModel: settings.defaultModel,
      root: space.root,
    });
    const { patchBytes } = settings;
    this.#editor = new LdpEditor({ ...parts, bodies: this.#bodies, commits: this.#commits, patchBytes });
  }

  /**
   * Creates a child of a container (http-api 5.6). Errors: `gone` and `resource-not-found` (of the
   * container), `precondition-failed`, `bad-interaction-model`, and those of the body.
   */
  async post(container: string, post: LdpPost, caller: Caller): Promise<Result<LdpWritten>> {
    const precondition = await this.#shown.inStoreTerms(container, post.precondition, caller);
    if (!precondition.ok) return precondition;
    const known = { ...post, precondition: precondition.value };
    const rejection = this.#postRejection(container, known);
    if (rejection) return rejection;
    const draft = new Draft(post.payload, this.#storage);
    try {
      const unreadable = await draft.prepare();
      if (unreadable) return { ok: false, error: unreadable };
      return await this.#createChild(container, known, draft, caller);
    } finally {
      await draft.dispose();
    }
  }

  /**
   * Creates or replaces a resource (http-api 5.9). Errors: those listed there except 415, and those
   * of the body.
   */
  async put(uri: string, put: LdpPut, caller: Caller): Promise<Result<LdpWritten>> {
    const current = () => this.#shown.inStoreTerms(uri, put.precondition, caller);
    const precondition = await current();
    if (!precondition.ok) return precondition;
    const check = (terms: Precondition | undefined) =>
      this.#putRejection(uri, { ...put, precondition: terms });
    const rejection = check(precondition.value);
    if (rejection) return rejection;
    // Bytes can't be invalid, and there may be many: check for a conflict before reading them.
    const conflict = put.payload.kind === 'bytes' ? this.#putConflict(uri, put) : undefined;
    if (conflict) return conflict;
    const draft = new Draft(put.payload, this.#storage);
    try {
      const unreadable = await draft.prepare();
      if (unreadable) return { ok: false, error: unreadable };
      return await this.#attempt(uri, { current, check }, (entry) =>
        this.#putChecked({ uri, entry, put, ready: draft.ready! }, caller),
      );
    } finally {
      await draft.dispose();
    }
  }

  /**
   * Applies a patch (http-api 5.10). Errors: those listed there except 405 and 415, and those of
   * the body.
   */
  async patch(uri: string, patch: LdpPatchRequest, caller: Caller): Promise<Result<LdpWritten>> {
    const current = () => this.#shown.inStoreTerms(uri, patch.precondition, caller);
    const precondition = await current();
    if (!precondition.ok) return precondition;
    const check = (terms: Precondition | undefined) => this.#rejection(uri, terms);
    const rejection = check(precondition.value);
    if (rejection) return rejection;
    const body = await patch.document.read();
    if (!body.ok) return body;
    return this.#attempt(uri, { current, check }, (entry) =>
      this.#editor.patch(uri, entry!, { document: patch.document, body: body.value }, caller),
    );
  }

  /**
   * Removes a resource permanently (http-api 5.11). Errors: `gone`, `resource-not-found`,
   * `precondition-failed`, `container-not-empty`, `forbidden`.
   */
  async remove(uri: string, required: Precondition | undefined, caller: Caller): Promise<Result<void>> {
    const terms = await this.#shown.inStoreTerms(uri, required, caller);
    if (!terms.ok) return terms;
    const precondition = terms.value;
    const rejection = this.#rejection(uri, precondition);
    if (rejection) return rejection;
    const content = this.#space.content(uri);
    const preconditions = precondition ? [{ ...precondition, target: uri }] : [];
    const removed = await this.#commits.remove(uri, preconditions, caller);
    if (!removed.ok) return removed;
    if (content) await this.#storage.garbageCollector.release(content.digest);
    return { ok: true, value: undefined };
  }

  async #createChild(
    container: string,
    { slug, precondition, requested, payload }: LdpPost,
    draft: Draft,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const model = requested.ok ? requested.value : null;
    const mediaType = payload.kind === 'bytes' ? (payload.contentType.split(';')[0] ?? '') : null;
    const form = slug === undefined ? undefined : namesFromSlug(slug, mediaType);
    const preconditions = precondition ? [{ ...precondition, target: container }] : [];
    for (let attempt = 1; ; attempt++) {
      const uri = this.#names.reserve(container, attempt < ATTEMPTS ? form : undefined, caller);
      try {
        const denied = newNameDenial(caller, uri);
        if (denied) return { ok: false, error: denied };
        const creation: Creation = { uri, model, ready: draft.ready!, ancestors: false, preconditions };
        const created = await this.#creator.create(creation, caller);
        // A PUT may have taken the name meanwhile. It stays taken, so the child gets another name.
        if (created.ok || this.#space.entry(uri) === undefined) return withoutParent(created, container);
      } finally {
        this.#names.release(uri);
      }
    }
  }

  /** Reports errors in a document before conflicts with the existing resource (http-api L-63). */
  async #putChecked(attempt: PutAttempt, caller: Caller): Promise<Result<LdpWritten>> {
    const { uri, put, ready } = attempt;
    const conflict = this.#putConflict(uri, put);
    if (!conflict) return this.#putOnce(attempt, caller);
    if (ready.kind === 'bytes') return conflict;
    const error = await this.#bodies.syntaxError(uri, ready, caller);
    return error ? { ok: false, error } : conflict;
  }

  #putOnce({ uri, entry, put, ready }: PutAttempt, caller: Caller): Promise<Result<LdpWritten>> {
    if (entry) {
      return ready.kind === 'bytes'
        ? this.#editor.replaceContent(uri, entry, ready.content)
        : this.#editor.replace(uri, entry, ready, caller);
    }
    const model = put.requested.ok ? put.requested.value : null;
    return this.#creator.create({ uri, model, ready, ancestors: true, preconditions: [] }, caller);
  }

  /** Repeats a write, with all its checks, as long as it loses the race to other writers. */
  async #attempt(
    uri: string,
    { current, check }: Conditions,
    write: (entry: LdpEntry | undefined) => Promise<Result<LdpWritten>>,
  ): Promise<Result<LdpWritten>> {
    const done = await this.#lock.attempt(uri, ATTEMPTS, async () => {
      const precondition = await current();
      if (!precondition.ok) return precondition;
      const rejection = check(precondition.value);
      if (rejection) return rejection;
      const written = await write(this.#live(uri));
      const isOvertaken = !written.ok && written.error.code === 'precondition-failed';
      return isOvertaken ? undefined : written;
    });
    return done ?? ldpFailure('overloaded', uri);
  }

  #live(uri: string): LdpEntry | undefined {
    const entry = this.#space.entry(uri);
    return entry === 'gone' ? undefined : entry;
  }

  /** Returns why an existing resource can't be written, at all or in its current state. */
  #rejection(uri: string, precondition: Precondition | undefined): Failure | undefined {
    const error = this.#store.writeError;
    if (error) return { ok: false, error };
    const entry = this.#space.entry(uri);
    if (entry === 'gone') return ldpFailure('gone', uri);
    if (!entry) return ldpFailure('resource-not-found', uri);
    return this.#holds(precondition, uri) ? undefined : ldpFailure('precondition-failed', uri);
  }

  #postRejection(container: string, { precondition, requested }: LdpPost): Failure | undefined {
    return this.#rejection(container, precondition) ?? (requested.ok ? undefined : requested);
  }

  /** Does those checks of http-api L-63, in that order, that need no body. */
  #putRejection(uri: string, { precondition, requested }: LdpPut): Failure | undefined {
    const error = this.#store.writeError;
    if (error) return { ok: false, error };
    const entry = this.#space.entry(uri);
    if (entry === 'gone') return ldpFailure('gone', uri);
    const holds = this.#holds(precondition, uri);
    if (entry && this.#isUnconditional(precondition, holds)) return ldpFailure('precondition-required', uri);
    if (!holds) return ldpFailure('precondition-failed', uri);
    return requested.ok ? undefined : requested;
  }

  /** Returns why such a payload can't be put at this URI (http-api L-5, L-55, L-64). */
  #putConflict(uri: string, { requested, payload }: LdpPut): Failure | undefined {
    const entry = this.#live(uri);
    if (!entry) return isReserved(uri) ? ldpFailure('reserved-name', uri) : undefined;
    const fits =
      (!requested.ok || agrees(requested.value, entry.kind)) &&
      (entry.kind === 'binary') === (payload.kind === 'bytes');
    return fits ? undefined : ldpFailure('type-conflict', uri);
  }

  /**
   * Whether a required `If-Match` is missing. If the client asked only to create and the resource
   * exists, it gets 412 instead (G-76).
   */
  #isUnconditional(precondition: Precondition | undefined, holds: boolean): boolean {
    if (!this.#settings.requireIfMatch) return false;
    if (precondition?.noneMatch !== undefined && !holds) return false;
    return precondition?.match === undefined && precondition?.unmodifiedSince === undefined;
  }

  #holds(precondition: Precondition | undefined, uri: string): boolean {
    if (!precondition) return true;
    const entry = this.#live(uri);
    const current = entry ? { state: this.#space.state(entry), modified: entry.modified } : undefined;
    return preconditionHolds(precondition, current);
  }
}

/** For a POST, the target is the container, so a deleted parent is reported as `gone`. */
function withoutParent(created: Result<LdpWritten>, container: string): Result<LdpWritten> {
  return !created.ok && created.error.code === 'parent-gone' ? ldpFailure('gone', container) : created;
}
