import type { Caller } from '../../base/caller.ts';
import type { Result } from '../../errors.ts';
import { emptyBlock } from '../../rdf/model/quad-block.ts';
import type { StoredContent } from '../../store/registry/resource-registry.ts';
import type { InteractionModel } from '../model/kinds.ts';
import type { LdpPrecondition } from '../store/operation.ts';
import type { BodyReader } from './body-reader.ts';
import type { LdpCommits } from './commits.ts';
import type { RequestedInteractionModel } from './interaction-model.ts';
import { ldpClientOf } from './permissions/ldp-client.ts';
import type { ReadyDocument, ReadyPayload } from './staged-payload.ts';
import type { LdpWritten } from './written.ts';

export interface Creation {
  readonly uri: string;
  /** The model that the request asks for. */
  readonly model: RequestedInteractionModel | null;
  readonly ready: ReadyPayload;
  /** Whether missing containers above the resource are created (http-api L-66). */
  readonly ancestors: boolean;
  readonly preconditions: readonly LdpPrecondition[];
}

interface CreationSettings {
  /** The model of an RDF source if nothing states one. */
  readonly defaultModel: InteractionModel;
  /** The root container. */
  readonly root: string;
}

/** Creates resources. Error `precondition-failed` also if a resource with this URI exists. */
export class LdpCreator {
  readonly #bodies: BodyReader;
  readonly #commits: LdpCommits;
  readonly #settings: CreationSettings;

  constructor(bodies: BodyReader, commits: LdpCommits, settings: CreationSettings) {
    this.#bodies = bodies;
    this.#commits = commits;
    this.#settings = settings;
  }

  create(creation: Creation, caller: Caller): Promise<Result<LdpWritten>> {
    const { ready } = creation;
    return ready.kind === 'bytes'
      ? this.#createBinary(creation, ready.content, caller)
      : this.#createSource(creation, ready, caller);
  }

  async #createBinary(
    { uri, ancestors, preconditions }: Creation,
    content: StoredContent,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const made = { model: 'binary', configuration: null, block: emptyBlock(), content } as const;
    const by = ldpClientOf(caller, this.#settings.root);
    const operation = { kind: 'ldp-create', target: uri, ...made, ancestors, ...by } as const;
    const committed = await this.#commits.create(operation, preconditions);
    return committed.ok ? created(uri, 'binary', committed.value) : committed;
  }

  async #createSource(
    { uri, model, ancestors, preconditions }: Creation,
    document: ReadyDocument,
    caller: Caller,
  ): Promise<Result<LdpWritten>> {
    const purpose = {
      kind: 'create',
      model: model === 'resource' ? 'rdf-source' : model,
      defaultModel: this.#settings.defaultModel,
    } as const;
    const read = await this.#bodies.read(uri, document, purpose, caller);
    if (!read.ok) return read;
    const { body, work } = read.value;
    const made = { ...body, content: null, ancestors, ...ldpClientOf(caller, this.#settings.root) } as const;
    const operation = { kind: 'ldp-create', target: uri, ...made } as const;
    const committed = await this.#commits.create(operation, preconditions, work);
    return committed.ok ? created(uri, body.model, committed.value) : committed;
  }
}

function created(uri: string, kind: InteractionModel, state: string): Result<LdpWritten> {
  return { ok: true, value: { uri, kind, created: true, state } };
}
