import { type ErrorData, failure, type Result } from '../../../errors.ts';
import { negotiateFormat, negotiateRdf, withCharset } from '../../../rdf/media-types/accept.ts';
import { formats, readableTypes } from '../../../rdf/media-types/media-types.ts';
import type { QueryForm } from '../../../sparql/language/query-facts.ts';
import { type ResultsFormat, resultsFormats } from '../../../sparql/results/formats.ts';
import type { Query } from '../../query.ts';
import type { HttpRequest } from '../../server/message.ts';

export interface ResponseFormat {
  /** The canonical media type. */
  readonly mediaType: string;
  /** Identifies the bytes of the format in entity tags. */
  readonly variant: string;
  /** Value of the response's `Content-Type`. */
  readonly contentType: string;
}

/** Returns the parameter that replaces `Accept`: `format`, or `output` as in Apache Marmotta. */
export function formatParameter(parameters: Query): string | undefined {
  return parameters.get('format') ?? parameters.get('output');
}

/** Formats that can't represent a result, and the reason for the last one. */
export interface Unwritable {
  readonly mediaTypes: readonly string[];
  readonly error: ErrorData;
}

/**
 * Returns the format of a response; error `not-acceptable`, with the available formats.
 * `unwritable`: the formats that were chosen before and failed.
 */
export function responseFormat(
  form: QueryForm,
  request: HttpRequest,
  parameters: Query,
  unwritable?: Unwritable,
): Result<ResponseFormat> {
  const accept = request.header('accept');
  const wanted = formatParameter(parameters);
  const isTable = form === 'select' || form === 'ask';
  return (isTable ? resultsFormat : graphFormat)(accept, wanted, unwritable);
}

interface Candidate {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly shortNames: readonly string[];
  readonly format: ResultsFormat;
}

const candidates: readonly Candidate[] = resultsFormats.map((format) => ({
  type: format.mediaType,
  aliases: format.aliases,
  shortNames: [format.shortName],
  format,
}));
const resultsTypes = resultsFormats.map(({ mediaType }) => mediaType);

function resultsFormat(
  accept: string | undefined,
  wanted: string | undefined,
  unwritable?: Unwritable,
): Result<ResponseFormat> {
  const rest = candidates.filter(({ type }) => !unwritable?.mediaTypes.includes(type));
  const choice = negotiateFormat(accept, wanted, rest);
  if (!choice) return notAcceptable('result', resultsTypes, unwritable);
  const { mediaType, shortName: variant } = choice.candidate.format;
  return { ok: true, value: { mediaType, variant, contentType: withCharset(choice.type) } };
}

export function graphFormat(
  accept: string | undefined,
  wanted: string | undefined,
  unwritable?: Unwritable,
): Result<ResponseFormat> {
  const but = formats.filter(({ mediaType }) => unwritable?.mediaTypes.includes(mediaType));
  const choice = negotiateRdf(accept, wanted, 'jsonld', but);
  if (!choice) return notAcceptable('graph', readableTypes, unwritable);
  const { mediaType, variant } = choice.format;
  return { ok: true, value: { mediaType, variant, contentType: choice.contentType } };
}

function notAcceptable(
  what: string,
  types: readonly string[],
  unwritable: Unwritable | undefined,
): Result<never> {
  const message = unwritable?.error.message ?? `The ${what} is not available in an acceptable type.`;
  return failure('not-acceptable', message, {
    available: types.filter((type) => !unwritable?.mediaTypes.includes(type)),
  });
}
