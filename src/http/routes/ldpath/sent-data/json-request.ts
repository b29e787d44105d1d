import { failure, type Result } from '../../../../errors.ts';
import type { SentDataRequest } from '../../../../pool/pool.ts';
import {
  formatByMediaType,
  formatByShortName,
  parseContentType,
  readableTypes,
} from '../../../../rdf/media-types/media-types.ts';
import { isIri } from '../../../../rdf/model/iri.ts';
import { parseStartSet } from '../../../../rdf/model/resources/start-set.ts';
import { badIri } from '../../../iri-parameter.ts';
import { selectionOf } from '../batch-request.ts';
import { parseJsonObject } from '../json-body.ts';
import { checkedSeparator } from '../result-format.ts';
import type { NamedPrograms } from '../selection.ts';

/** A request to evaluate a selection on data that it contains (http-api 4.13). */
export interface ParsedRequest {
  readonly input: SentDataRequest;
  /** The format that the request names, which is not checked. */
  readonly format: string | undefined;
  readonly separator: string | undefined;
}

export interface RequestContext {
  readonly programs: NamedPrograms;
  /** IRI against which the data are resolved if the request names none. */
  readonly base: string;
  readonly maxStarts: number;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the request from its JSON. Errors `parse-error`, `bad-arguments`, `missing-parameter`,
 * `bad-iri`, `too-large`, `unsupported-media-type`.
 */
export function parseJsonRequest(body: Uint8Array, context: RequestContext): Result<ParsedRequest> {
  const json = parseJsonObject(body);
  if (!json.ok) return json;
  const members = json.value;
  const { data, base = context.base } = members;
  if (data === undefined) return failure('missing-parameter', "The member 'data' is missing.");
  if (typeof data !== 'string') return failure('bad-arguments', "'data' must be a string.");
  if (typeof base !== 'string' || !isIri(base)) return badIri('base', String(base));
  const mediaType = typeOfData(members['dataType']);
  if (!mediaType.ok) return mediaType;
  const document = {
    body: new TextEncoder().encode(data),
    mediaType: mediaType.value,
    gzip: false,
    baseIri: base,
  };
  return requestOf(members, document, context);
}

/** `members`: all but the data. */
export function requestOf(
  members: Members,
  document: SentDataRequest['document'],
  { maxStarts, programs }: RequestContext,
): Result<ParsedRequest> {
  const selection = selectionOf(members, programs);
  if (!selection.ok) return selection;
  const starts = startsOf(members, maxStarts);
  if (!starts.ok) return starts;
  const { format, missing = 'error' } = members;
  const separator = checkedSeparator(members['separator']);
  if (!separator.ok) return separator;
  if (format !== undefined && typeof format !== 'string') {
    return failure('bad-arguments', "'format' must be a string.");
  }
  if (missing !== 'error' && missing !== 'empty') {
    return failure('bad-arguments', `'missing' must be "error" or "empty".`);
  }
  const input = { document, selection: selection.value, starts: starts.value, lenient: missing === 'empty' };
  return { ok: true, value: { input, format, separator: separator.value } };
}

function startsOf({ uris, starts }: Members, most: number): Result<SentDataRequest['starts']> {
  if (starts !== undefined && uris !== undefined) {
    return failure('bad-arguments', "Only one of 'uris' and 'starts' is possible.");
  }
  if (starts !== undefined) return setOf(starts);
  if (uris === undefined) {
    return failure('missing-parameter', "The member 'uris' or 'starts' is missing.");
  }
  if (!Array.isArray(uris) || uris.length === 0 || !uris.every((uri) => typeof uri === 'string')) {
    return failure('bad-arguments', "'uris' must be a non-empty array of strings.");
  }
  if (uris.length > most) return failure('too-large', `There must not be more than ${most} URIs.`);
  return { ok: true, value: uris };
}

function setOf(json: unknown): Result<SentDataRequest['starts']> {
  const set = parseStartSet(json);
  if (!set.ok) return failure(set.code, set.message);
  if (set.value.kind !== 'path') return { ok: true, value: set.value };
  return failure('bad-arguments', "'starts' can't be a path here: list what it selects as 'uris'.");
}

/** Returns the canonical media type; Turtle by default. */
function typeOfData(given: unknown): Result<string> {
  if (given === undefined) return { ok: true, value: 'text/turtle' };
  if (typeof given !== 'string') return failure('bad-arguments', "'dataType' must be a string.");
  const named = formatByShortName(given.trim(), 'jsonld');
  const type = parseContentType(given)?.mediaType ?? '';
  const format = named ?? formatByMediaType(type, 'jsonld', 'input');
  if (format) return { ok: true, value: format.mediaType };
  const message = `'${given}' is not a format of RDF that the server reads.`;
  return failure('unsupported-media-type', message, { available: readableTypes });
}
