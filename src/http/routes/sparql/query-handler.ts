import { seesEverything } from '../../../base/graph-access.ts';
import { failure, type Result } from '../../../errors.ts';
import {
  type QueryFacts,
  type QueryForm,
  queryFacts,
  queryForm,
} from '../../../sparql/language/query-facts.ts';
import type { SparqlDataset } from '../../../sparql/request.ts';
import { failedMatch, namesTag } from '../../headers/conditional.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import { datasetOf } from './dataset-parameters.ts';
import type { SparqlOperation } from './protocol-operation.ts';
import { type ResponseFormat, responseFormat, type Unwritable } from './response-format.ts';
import type { SparqlOptions, SparqlQueries } from './services.ts';

/** The properties of a query that must be known before it is evaluated. */
interface AskedFacts {
  readonly form: QueryForm;
  readonly isTagged: boolean;
  /** The facts of the whole text, if all of it was read. */
  readonly all: QueryFacts | undefined;
}

interface ReadQuery extends SparqlOperation {
  readonly facts: AskedFacts;
  readonly dataset: SparqlDataset | undefined;
}

/**
 * Executes queries. The response to GET and HEAD has an entity tag, unless two results from the
 * same data may differ.
 */
export class SparqlQueryHandler {
  readonly #queries: SparqlQueries;
  readonly #options: SparqlOptions;

  constructor(queries: SparqlQueries, options: SparqlOptions) {
    this.#queries = queries;
    this.#options = options;
  }

  async execute(request: HttpRequest, operation: SparqlOperation): Promise<HandlerResult> {
    const facts = await factsOfQuery(request, operation);
    if (!facts.ok) return facts;
    const dataset = datasetOf(operation);
    if (!dataset.ok) return dataset;
    return this.#respond(request, { ...operation, facts: facts.value, dataset: dataset.value });
  }

  /**
   * Sends the result in the format that the client prefers. Whether a format can represent the
   * result is known only after the evaluation; if it can't, the next one is tried, as for graphs
   * (G-54).
   */
  async #respond(request: HttpRequest, read: ReadQuery, unwritable?: Unwritable): Promise<HandlerResult> {
    const { text, parameters, facts, dataset } = read;
    const format = responseFormat(facts.form, request, parameters, unwritable);
    if (!format.ok) return format;
    const mismatch = failedMatch(request);
    if (mismatch) return mismatch;
    // The number of a commit would tell that hidden graphs have changed.
    const isTagged = facts.isTagged && seesEverything(request);
    const validators = (sequence: number) => (isTagged ? [this.#entityTag(sequence, format.value)] : []);
    const current = validators(this.#queries.sequence);
    if (isCurrent(request, current)) return { status: 304, headers: [...current, ...common] };
    const { mediaType, contentType } = format.value;
    const baseIri = `${this.#options.base}/sparql`;
    const query = { text, baseIri, dataset, mediaType, facts: facts.all };
    const result = await this.#queries.query(query, request);
    if (!result.ok) {
      const { error } = result;
      if (error.code !== 'not-acceptable') return result;
      const mediaTypes = [...(unwritable?.mediaTypes ?? []), mediaType];
      return this.#respond(request, read, { mediaTypes, error });
    }
    const { body, sequence } = result.value;
    if (isTagged && namesAny(request)) return { status: 304, headers: [...validators(sequence), ...common] };
    const headers: Header[] = [['Content-Type', contentType], ...validators(sequence), ...common];
    return { status: 200, headers, body };
  }

  /** Returns a weak tag, because an equal result may have its rows in another order. */
  #entityTag(sequence: number, { variant }: ResponseFormat): Header {
    const state = this.#queries.state(sequence);
    const { defaultGraph, run } = this.#options;
    return ['ETag', `W/"${state}-${variant}.${defaultGraph}.${run}"`];
  }
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

function isCurrent(request: HttpRequest, validators: readonly Header[]): boolean {
  const header = request.header('if-none-match');
  const tag = validators[0]?.[1].slice('W/'.length);
  return header !== undefined && tag !== undefined && !namesAny(request) && namesTag(header, tag);
}

/** Whether any result is current. Only the evaluation shows that there is one. */
function namesAny(request: HttpRequest): boolean {
  return request.header('if-none-match')?.trim() === '*';
}
