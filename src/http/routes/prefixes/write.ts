import { writesEverything } from '../../../base/graph-access.ts';
import { type Precondition, preconditionHolds } from '../../../base/precondition.ts';
import { type Failure, failure, type Result, wrongState } from '../../../errors.ts';
import { parseContentType } from '../../../rdf/media-types/media-types.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import { isStorablePrefix, MAX_NAMESPACE_LENGTH } from '../../../services/prefixes/service.ts';
import { writePrecondition } from '../../headers/conditional.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { badIri } from '../../iri-parameter.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../server/message.ts';
import { readText, readUtf8 } from '../ldpath/body-text.ts';
import { parseJsonObject } from '../ldpath/json-body.ts';
import { isStored, TEXT_VARIANT, unknownPrefix } from './read.ts';
import type { PrefixTableService } from './service.ts';

/** Of a body, which has a namespace and perhaps what GET returns with it. */
const MAX_BODY_BYTES = 64 * 1024;

const TEXT_TYPE = 'text/plain';
const JSON_TYPE = 'application/json';

/**
 * Handles PUT and DELETE of stored prefixes (P-91, P-93). Errors are checked in the order of
 * http-api 1.10.
 */
export class PrefixWrites {
  readonly #prefixes: PrefixTableService;

  constructor(prefixes: PrefixTableService) {
    this.#prefixes = prefixes;
  }

  async replace(request: HttpRequest, prefix: string): Promise<HandlerResult> {
    if (!writesEverything(request)) return notForSome;
    if (!isStorablePrefix(prefix)) return badPrefix;
    const { writeError } = this.#prefixes;
    if (writeError) return rejection(writeError);
    const type = bodyType(request);
    if (!type.ok) return type;
    const precondition = writePrecondition(request);
    const failed = precondition && this.#unmet(prefix, precondition);
    if (failed) return failed;
    const namespace = await readNamespace(request, type.value);
    if (!namespace.ok) return namespace;
    const stored = await this.#prefixes.put(prefix, namespace.value, precondition);
    if (!stored.ok) return stored;
    const { created, commit } = stored.value;
    const { state } = this.#prefixes.validators({ commit, modified: 0 });
    const position = this.#prefixes.position(commit);
    const receipt = { commit, position, tag: formatEntityTag(state, TEXT_VARIANT) };
    const headers = [['Content-Type', 'application/json']] as const;
    return { status: created ? 201 : 200, headers, body: JSON.stringify(receipt) };
  }

  async remove(request: HttpRequest, prefix: string): Promise<HandlerResult> {
    if (!writesEverything(request)) return notForSome;
    const { writeError } = this.#prefixes;
    if (writeError) return rejection(writeError);
    const missing = this.#missing(prefix);
    if (missing) return missing;
    const precondition = writePrecondition(request);
    const failed = precondition && this.#unmet(prefix, precondition);
    if (failed) return failed;
    const removed = await this.#prefixes.remove(prefix, precondition);
    if (!removed.ok) return removed;
    return removed.value ? { status: 204, headers: [] } : unknownPrefix(prefix);
  }

  /** Returns the error if a prefix is not stored; it says where it comes from instead. */
  #missing(prefix: string): Failure | undefined {
    const known = this.#prefixes.get(prefix);
    if (known === undefined) return unknownPrefix(prefix);
    return isStored(known) ? undefined : notStored[known.source as keyof typeof notStored](prefix);
  }

  /**
   * Returns the error if a precondition does not hold now. The store checks it again when it
   * executes the write.
   */
  #unmet(prefix: string, precondition: Precondition): Failure | undefined {
    const known = this.#prefixes.get(prefix);
    const current = known && isStored(known) ? this.#prefixes.validators(known) : undefined;
    return preconditionHolds(precondition, current) ? undefined : wrongState(`The prefix '${prefix}'`);
  }
}

const notStored = {
  settings: (prefix: string) => notDeletable(prefix, 'comes from the setting --prefix: change that'),
  'built-in': (prefix: string) => notDeletable(prefix, 'is built in: PUT replaces its namespace'),
} as const;

function notDeletable(prefix: string, why: string): Failure {
  return failure('prefix-not-found', `The prefix '${prefix}' is not stored, but ${why}.`);
}

/** Error `unsupported-media-type`. */
function bodyType(request: HttpRequest): Result<typeof TEXT_TYPE | typeof JSON_TYPE> {
  const contentType = request.header('content-type');
  const type = contentType === undefined ? TEXT_TYPE : parseContentType(contentType)?.mediaType;
  if (type === TEXT_TYPE || type === JSON_TYPE) return { ok: true, value: type };
  return failure('unsupported-media-type', `A namespace can't be sent as '${contentType}'.`, {
    available: [TEXT_TYPE, JSON_TYPE],
  });
}

/** Errors `empty-body`, `missing-parameter`, `bad-arguments`, `bad-iri`, and those of the body. */
async function readNamespace(request: HttpRequest, type: string): Promise<Result<string>> {
  if (type === JSON_TYPE) {
    const body = await readUtf8(request, MAX_BODY_BYTES);
    return body.ok ? namespaceInJson(body.value) : body;
  }
  const body = await readText(request, MAX_BODY_BYTES);
  if (!body.ok) return body;
  const namespace = body.value.trim();
  return namespace === '' ? emptyBody : checkedNamespace(namespace, 'The body');
}

function namespaceInJson(body: Uint8Array): Result<string> {
  if (body.length === 0) return emptyBody;
  const json = parseJsonObject(body);
  if (!json.ok) return json;
  const { namespace } = json.value;
  if (namespace === undefined) return failure('missing-parameter', "The member 'namespace' is missing.");
  if (typeof namespace !== 'string') return failure('bad-arguments', "'namespace' must be a string.");
  return checkedNamespace(namespace, 'namespace');
}

/** `name`: what has the namespace, for errors. */
export function checkedNamespace(namespace: string, name: string): Result<string> {
  if (namespace.length > MAX_NAMESPACE_LENGTH) {
    return failure('bad-iri', `${name}: a namespace can have ${MAX_NAMESPACE_LENGTH} characters at most.`);
  }
  return isIri(namespace) ? { ok: true, value: namespace } : badIri(name, namespace);
}

/** Prefixes belong to no graph (G-164). */
export const notForSome = failure(
  'forbidden',
  'Prefixes are changed only by clients that may write all graphs.',
);

const emptyBody = failure('empty-body', 'The body is empty: it must have the namespace.');

export const badPrefix = failure(
  'bad-path',
  "A prefix has 1 to 255 characters: letters, digits, '.', '_' and '-'. It begins with a letter, and does not end with a dot.",
);
