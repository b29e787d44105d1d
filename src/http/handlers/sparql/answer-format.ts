import { failure, type Result } from '../../../errors.ts';
import { negotiateFormat, negotiateRdf, withCharset } from '../../../rdf/accept.ts';
import { readableTypes } from '../../../rdf/media-types.ts';
import type { QueryForm } from '../../../sparql/language/query-facts.ts';
import { type ResultsFormat, resultsFormats } from '../../../sparql/results/results-formats.ts';
import type { HttpRequest } from '../../message.ts';
import type { Query } from '../../query.ts';

export interface AnswerFormat {
  /** Canonical. */
  readonly mediaType: string;
  readonly shortName: string;
  /** Value for the response header. */
  readonly contentType: string;
}

/** `format`, or `output` as Apache Marmotta calls it, takes the place of `Accept`. */
export function formatParameter(parameters: Query): string | undefined {
  return parameters.get('format') ?? parameters.get('output');
}

/** The format of an answer; error `not-acceptable`, with the formats that there are. */
export function answerFormat(form: QueryForm, request: HttpRequest, parameters: Query): Result<AnswerFormat> {
  const accept = request.header('accept');
  const wanted = formatParameter(parameters);
  return form === 'select' || form === 'ask' ? resultsFormat(accept, wanted) : graphFormat(accept, wanted);
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

function resultsFormat(accept: string | undefined, wanted: string | undefined): Result<AnswerFormat> {
  const choice = negotiateFormat(accept, wanted, candidates);
  if (!choice) {
    const message = 'The result is not available in any of the types asked for.';
    return failure('not-acceptable', message, { available: resultsTypes });
  }
  const { mediaType, shortName } = choice.candidate.format;
  return { ok: true, value: { mediaType, shortName, contentType: withCharset(choice.type) } };
}

export function graphFormat(accept: string | undefined, wanted: string | undefined): Result<AnswerFormat> {
  const choice = negotiateRdf(accept, wanted, 'jsonld');
  if (!choice) {
    const message = 'The graph is not available in any of the types asked for.';
    return failure('not-acceptable', message, { available: readableTypes });
  }
  const { mediaType, shortName } = choice.format;
  return { ok: true, value: { mediaType, shortName, contentType: choice.contentType } };
}
