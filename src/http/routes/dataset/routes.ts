import { type Precondition, preconditionHolds } from '../../../base/precondition.ts';
import { type ErrorData, failure, type Result, wrongState } from '../../../errors.ts';
import { chosenFormat, negotiateFormat, type RdfChoice } from '../../../rdf/media-types/accept.ts';
import { formats, holdsEveryGraph, type RdfFormat } from '../../../rdf/media-types/media-types.ts';
import type { DatasetService } from '../../../services/dataset/service.ts';
import type { RdfPayload } from '../../../services/rdf-payload.ts';
import { endpoint } from '../../description/endpoint.ts';
import { decideRead, withoutDates, writePrecondition } from '../../headers/conditional.ts';
import type { DocumentVariants } from '../../headers/document-variants.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { withQuery } from '../../parameters.ts';
import { storesPrefixes } from '../../prefix-parameter.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { Handler, HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import type { ContextOptions } from '../contexts/service.ts';
import { wholeBody } from '../contexts/write.ts';
import { datasetOperations } from './operations.ts';

/** The service as handlers see it. */
export type Dataset = Pick<DatasetService, keyof DatasetService>;

/** Routes for the whole data set, in formats that name the graph of each quad. */
export function datasetRoutes(dataset: Dataset, options: ContextOptions): Route[] {
  const writes = new DatasetWrites(dataset, options);
  return [
    {
      path: '/dataset',
      methods: {
        GET: endpoint(datasetReader(dataset, options), datasetOperations.GET),
        POST: endpoint((request) => writes.add(request), datasetOperations.POST),
        PUT: endpoint((request) => writes.replace(request), datasetOperations.PUT),
      },
    },
  ];
}

/** Returns the handler of GET for all graphs. */
export function datasetReader(dataset: Dataset, { variants }: Pick<ContextOptions, 'variants'>): Handler {
  const reads = new DatasetReads(dataset, variants);
  return withQuery((request, query) => reads.read(request, query));
}

interface Candidate {
  readonly type: string;
  readonly aliases: readonly string[];
  readonly shortNames: readonly string[];
  readonly format: RdfFormat;
}

const candidateOf = (format: RdfFormat): Candidate => ({
  type: format.mediaType,
  aliases: format.outputAliases,
  shortNames: format.shortNames,
  format,
});
/** N-Quads is the default, because it is the fastest to write and to read. */
const candidates = formats
  .filter(({ quads }) => quads)
  .map(candidateOf)
  .sort((a, b) => Number(b.format.shortName === 'nq') - Number(a.format.shortName === 'nq'));

/** Handles GET and HEAD. */
class DatasetReads {
  readonly #dataset: Dataset;
  readonly #variants: DocumentVariants;

  constructor(dataset: Dataset, variants: DocumentVariants) {
    this.#dataset = dataset;
    this.#variants = variants;
  }

  /** `unwritable`: why JSON-LD, which was chosen before, can't represent the data (G-54). */
  async read(request: HttpRequest, query: Query, unwritable?: ErrorData): Promise<HandlerResult> {
    const writable = unwritable ? candidates.filter(({ type }) => holdsEveryGraph(type)) : candidates;
    const negotiated = negotiateFormat(request.header('accept'), query.get('format'), writable);
    if (!negotiated) {
      const message = unwritable?.message ?? 'The data set is available only in formats that name graphs.';
      return failure('not-acceptable', message, { available: writable.map(({ type }) => type) });
    }
    const choice = chosenFormat(negotiated.candidate.format, negotiated);
    const current = this.#dataset.validators(request);
    const entityTag = formatEntityTag(current.state, this.#variants.variantOf(choice.format));
    const validators: Header[] = [
      ['ETag', entityTag],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ];
    // Removed data leave no date.
    const decision = decideRead(withoutDates(request), entityTag, current);
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return preconditionFailed;
    const headers = [...validators, ...representationHeaders(choice)];
    const type = choice.format.mediaType;
    if (request.method === 'HEAD' && holdsEveryGraph(type)) return { status: 200, headers };
    const document = await this.#dataset.read(type, request);
    if (document.ok) return { status: 200, headers, body: document.value };
    return document.error.code === 'not-acceptable' ? this.read(request, query, document.error) : document;
  }
}

function representationHeaders({ format, contentType }: RdfChoice): Header[] {
  return [
    ['Content-Type', contentType],
    ['Content-Disposition', `attachment; filename="dataset.${format.extension}"`],
  ];
}

/** Handles POST and PUT. */
class DatasetWrites {
  readonly #dataset: Dataset;
  readonly #options: ContextOptions;

  constructor(dataset: Dataset, options: ContextOptions) {
    this.#dataset = dataset;
    this.#options = options;
  }

  /** Adds the quads of the body to the data set. */
  async add(request: HttpRequest): Promise<HandlerResult> {
    const write = await this.#prepare(request);
    if (!write.ok) return write;
    const { payload, ...options } = write.value;
    const outcome = await this.#dataset.add(payload, options, request);
    if (!outcome.ok) return outcome;
    const headers = [['Content-Type', 'application/json']] as const;
    return { status: 200, headers, body: JSON.stringify({ added: outcome.value.added }) };
  }

  /**
   * Replaces all data. Requires a precondition, because otherwise a client could overwrite changes
   * that it has not seen.
   */
  async replace(request: HttpRequest): Promise<HandlerResult> {
    const denied = this.#dataset.replaceDenial(request);
    if (denied) return { ok: false, error: denied };
    if (request.header('if-match') === undefined) return unconditional;
    const write = await this.#prepare(request);
    if (!write.ok) return write;
    const { payload, precondition = {}, storesPrefixes: learns } = write.value;
    const options = { precondition, storesPrefixes: learns };
    const outcome = await this.#dataset.replace(payload, options, request);
    return outcome.ok ? { status: 204, headers: [] } : outcome;
  }

  /** Checks whether the request may write now, and reads its body. */
  async #prepare(request: HttpRequest): Promise<Result<DatasetWrite>> {
    const { base, maxBytes } = this.#options;
    const learns = storesPrefixes(request);
    if (!learns.ok) return learns;
    const forbidden = this.#dataset.writeError;
    if (forbidden) return { ok: false, error: forbidden };
    const read = wholeBody('jsonld')(request);
    if (!read.ok) return read;
    const precondition = writePrecondition(withoutDates(request));
    if (precondition && !preconditionHolds(precondition, this.#dataset.validators(request)))
      return preconditionFailed;
    const documents = await read.value(`${base}/dataset`, maxBytes);
    if (!documents.ok) return documents;
    return { ok: true, value: { payload: documents.value[0]!, precondition, storesPrefixes: learns.value } };
  }
}

interface DatasetWrite {
  readonly payload: RdfPayload;
  readonly precondition: Precondition | undefined;
  readonly storesPrefixes: boolean;
}

const preconditionFailed = wrongState('The data set');

const unconditional = failure(
  'precondition-required',
  "Replacing all data requires If-Match, with the entity tag from a GET, or with '*' for any state.",
);
