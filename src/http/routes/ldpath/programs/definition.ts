import { failure, type Result } from '../../../../errors.ts';
import { parseContentType } from '../../../../rdf/media-types/media-types.ts';
import { isIri } from '../../../../rdf/model/iri.ts';
import { type DeclaredStartSet, parseStartSet } from '../../../../rdf/model/resources/start-set.ts';
import { isDeclared, type ProgramDefinition } from '../../../../services/ldpath/stored-programs.ts';
import { badIri } from '../../../iri-parameter.ts';
import type { Query } from '../../../query.ts';
import type { HttpRequest } from '../../../server/message.ts';
import { readText, readUtf8 } from '../body-text.ts';
import { parseJsonObject } from '../json-body.ts';
import { declaredNamespaces, namespacesMember } from '../known-prefixes.ts';

/** The media types of the text of a program. */
export const PROGRAM_TYPES = ['text/plain', 'application/ldpath'] as const;
const JSON_TYPE = 'application/json';

/** The parameters that name a set of start resources. */
const setParameters = ['type', 'graph', 'subjects'] as const;

/** What the head of a request says about the program in its body. */
export type DefinitionHead =
  | { readonly kind: 'json' }
  | ({ readonly kind: 'text' } & Omit<ProgramDefinition, 'source'>);

/**
 * Reads what the head says (P-41). Errors `bad-query`, `bad-iri`, and then
 * `unsupported-media-type`.
 */
export function definitionHead(request: HttpRequest, query: Query): Result<DefinitionHead> {
  const starts = startsOfQuery(query);
  if (!starts.ok) return starts;
  const namespaces = declaredNamespaces(query);
  if (!namespaces.ok) return namespaces;
  const contentType = request.header('content-type');
  const type = contentType === undefined ? 'text/plain' : parseContentType(contentType)?.mediaType;
  if (PROGRAM_TYPES.some((text) => text === type)) {
    return { ok: true, value: { kind: 'text', starts: starts.value, namespaces: namespaces.value } };
  }
  if (type !== JSON_TYPE) {
    return failure('unsupported-media-type', `'${contentType}' is not a media type of a program.`, {
      available: [...PROGRAM_TYPES, JSON_TYPE],
    });
  }
  if (starts.value || query.namespaces()) {
    const message = 'With a JSON body, the start resources and prefixes are members of it, not parameters.';
    return failure('bad-query', message);
  }
  return { ok: true, value: { kind: 'json' } };
}

/**
 * Reads the program. `maxBytes`: of its text; JSON may have twice as much. Errors `empty-body`,
 * `parse-error`, `missing-parameter`, `bad-arguments`, `bad-iri`, and those of the body.
 */
export async function readDefinition(
  request: HttpRequest,
  head: DefinitionHead,
  maxBytes: number,
): Promise<Result<ProgramDefinition>> {
  if (head.kind === 'json') {
    const body = await readUtf8(request, 2 * maxBytes);
    return body.ok ? definitionInJson(body.value) : body;
  }
  const { starts, namespaces = {} } = head;
  const body = await readText(request, maxBytes);
  if (!body.ok) return body;
  if (body.value === '') return emptyBody;
  return { ok: true, value: { source: body.value, starts, namespaces } };
}

const emptyBody = failure('empty-body', 'The body is empty: it must have the program.');

/** Other members are ignored, so that what GET returns can be sent back. */
function definitionInJson(body: Uint8Array): Result<ProgramDefinition> {
  if (body.length === 0) return emptyBody;
  const json = parseJsonObject(body);
  if (!json.ok) return json;
  const { program, starts, namespaces } = json.value;
  if (program === undefined) return failure('missing-parameter', "The member 'program' is missing.");
  if (typeof program !== 'string') return failure('bad-arguments', "'program' must be a string.");
  if (!program.isWellFormed()) {
    return failure('bad-arguments', "'program' has half of a surrogate pair, which is no character.");
  }
  const set = declaredSet(starts);
  if (!set.ok) return set;
  const declared = namespacesMember(namespaces);
  if (!declared.ok) return declared;
  return { ok: true, value: { source: program, starts: set.value, namespaces: declared.value } };
}

function declaredSet(json: unknown): Result<DeclaredStartSet | undefined> {
  if (json === undefined || json === null) return { ok: true, value: undefined };
  const set = parseStartSet(json);
  if (!set.ok) return failure(set.code, set.message);
  if (isDeclared(set.value)) return { ok: true, value: set.value };
  return failure('bad-arguments', 'A stored program can declare only a type, a graph or all subjects.');
}

function startsOfQuery(query: Query): Result<DeclaredStartSet | undefined> {
  const [kind, ...others] = setParameters.filter((name) => query.get(name) !== undefined);
  if (kind === undefined) return { ok: true, value: undefined };
  if (others.length > 0) {
    return failure('bad-query', "There must be only one of the parameters 'type', 'graph' and 'subjects'.");
  }
  const value = query.get(kind)!;
  if (kind !== 'subjects') {
    return isIri(value) ? { ok: true, value: { kind, iri: value } } : badIri(kind, value);
  }
  if (value === 'true') return { ok: true, value: { kind } };
  return failure('bad-query', "The parameter 'subjects' can only be 'true'.");
}
