import { failure, type Result } from '../../../errors.ts';
import {
  type QueryFacts,
  type QueryForm,
  queryFacts,
  queryForm,
} from '../../../sparql/language/query-facts.ts';
import type { SparqlDataset } from '../../../sparql/request.ts';
import { matchRefusal, namesTag } from '../../headers/conditional.ts';
import { refusal } from '../../problem.ts';
import type { Header } from '../../server/header.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { type AnswerFormat, answerFormat, type Unwritable } from './answer-format.ts';
import { datasetOf } from './dataset-parameters.ts';
import type { SparqlOperation } from './protocol-operation.ts';
import type { SparqlOptions, SparqlQueries } from './services.ts';

/**
 * Executes a query. The response to GET and HEAD has an entity tag, unless two results from the
 * same data may differ.
 */
export async function answerQuery(
  queries: SparqlQueries,
  options: SparqlOptions,
  request: HttpRequest,
  operation: SparqlOperation,
): Promise<HttpReply> {
  const facts = await factsOfQuery(request, operation);
  if (!facts.ok) return refusal(facts.error, request);
  const dataset = datasetOf(operation);
  if (!dataset.ok) return refusal(dataset.error, request);
  return answerIn(queries, options, request, operation, { facts: facts.value, dataset: dataset.value });
}

/** The properties of a query that must be known before it is evaluated. */
interface AskedFacts {
  readonly form: QueryForm;
  readonly isTagged: boolean;
  /** The facts of the whole text, if all of it was read. */
  readonly all: QueryFacts | undefined;
}

interface ReadQuery {
  readonly facts: AskedFacts;
  readonly dataset: SparqlDataset | undefined;
}

/**
 * Sends the result in the format that the client prefers. Whether a format can represent the result
 * is known only after the evaluation; if it can't, the next one is tried, as for graphs (G-54).
 */
async function answerIn(
  queries: SparqlQueries,
  options: SparqlOptions,
  request: HttpRequest,
  operation: SparqlOperation,
  read: ReadQuery,
  unwritable?: Unwritable,
): Promise<HttpReply> {
  const { facts, dataset } = read;
  const { text, parameters } = operation;
  const format = answerFormat(facts.form, request, parameters, unwritable);
  if (!format.ok) return refusal(format.error, request);
  const mismatch = matchRefusal(request);
  if (mismatch) return refusal(mismatch, request);
  const { isTagged } = facts;
  const validators = (sequence: number) =>
    isTagged ? [entityTag(queries.state(sequence), format.value, options)] : [];
  const current = validators(queries.sequence);
  if (isCurrent(request, current)) return { status: 304, headers: [...current, ...common] };
  const { mediaType, contentType } = format.value;
  const query = { text, baseIri: `${options.base}/sparql`, dataset, mediaType, facts: facts.all };
  const answer = await queries.query(query, request);
  if (!answer.ok) {
    const { error } = answer;
    if (error.code !== 'not-acceptable' || unwritable) return refusal(error, request);
    return answerIn(queries, options, request, operation, read, { mediaType, error });
  }
  const { body, sequence } = answer.value;
  if (isTagged && namesAny(request)) return { status: 304, headers: [...validators(sequence), ...common] };
  const headers: Header[] = [['Content-Type', contentType], ...validators(sequence), ...common];
  return { status: 200, headers, body };
}

const common: readonly Header[] = [
  ['Vary', 'Accept'],
  ['Cache-Control', 'no-cache'],
];

/**
 * Responses to POST have no entity tag, so only the form of the query matters. The text of a POST
 * may be long, and reading all of it would delay other requests. A URL is short.
 */
async function factsOfQuery({ method }: HttpRequest, { text }: SparqlOperation): Promise<Result<AskedFacts>> {
  if (method === 'POST') {
    const form = await queryForm(text);
    return form.ok ? askedFacts(form.value, undefined) : form;
  }
  const facts = queryFacts(text);
  return facts.ok ? askedFacts(facts.value.form, facts.value) : facts;
}

function askedFacts(form: QueryFacts['form'], all: QueryFacts | undefined): Result<AskedFacts> {
  const isTagged = all !== undefined && !all.isVolatile;
  if (form !== 'update') return { ok: true, value: { form, isTagged, all } };
  return failure('parse-error', 'This is an update, not a query. It must be sent as an update, with POST.');
}

/** Returns a weak tag, because an equal result may have its rows in another order. */
function entityTag(state: string, { shortName }: AnswerFormat, { defaultGraph }: SparqlOptions): Header {
  return ['ETag', `W/"${state}-${shortName}.${defaultGraph}"`];
}

function isCurrent(request: HttpRequest, validators: readonly Header[]): boolean {
  const header = request.header('if-none-match');
  const tag = validators[0]?.[1].slice('W/'.length);
  return header !== undefined && tag !== undefined && !namesAny(request) && namesTag(header, tag);
}

/** Whether any result is current. Only the evaluation shows that there is one. */
function namesAny(request: HttpRequest): boolean {
  return request.header('if-none-match')?.trim() === '*';
}
