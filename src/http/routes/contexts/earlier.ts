import { seesEverything } from '../../../base/graph-access.ts';
import { type ErrorData, failure } from '../../../errors.ts';
import { negotiateRdf, type RdfChoice } from '../../../rdf/media-types/accept.ts';
import { holdsEveryGraph, type RdfFormat } from '../../../rdf/media-types/media-types.ts';
import type { FoundGraph, GraphHistory } from '../../../services/contexts/graph-history.ts';
import { matchesTag, namesTag } from '../../headers/conditional.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { fileName } from '../../headers/file-name.ts';
import { formatHttpDate, parseHttpDate } from '../../headers/http-date.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type {
  BodyStream,
  HandlerResult,
  HttpRequest,
  HttpResponse,
  PendingResult,
} from '../../server/message.ts';
import { notAcceptable, preconditionFailed } from './errors.ts';
import { canonicalUrl } from './target.ts';

/** The history as handlers see it. */
export type EarlierGraphs = Pick<GraphHistory, keyof GraphHistory>;

/** A state that a request asks for. */
interface Wanted {
  readonly request: HttpRequest;
  readonly graph: string;
  readonly commit: number;
  readonly format: string | undefined;
}

/** Handles GET and HEAD of graphs as they were (http-api 2.4). */
export class EarlierReads {
  readonly #history: EarlierGraphs;
  readonly #base: string;

  /** `base`: base URI of the server, without a trailing slash. */
  constructor(history: EarlierGraphs, base: string) {
    this.#history = history;
    this.#base = base;
  }

  /** Returns undefined for a request that asks for the present state. */
  read(request: HttpRequest, graph: string, query: Query): PendingResult | undefined {
    const commit = query.get('commit');
    const datetime = request.header('accept-datetime');
    const isOfNow = datetime === undefined && (commit === undefined || !/^\d+$/.test(commit));
    // Numbers and times of commits tell of hidden graphs.
    if (!isOfNow && !seesEverything(request)) return onlyForAll;
    if (commit !== undefined && /^\d+$/.test(commit)) {
      return this.#after({ request, graph, commit: Number(commit), format: query.get('format') });
    }
    return datetime === undefined ? undefined : this.#redirect(request, graph, datetime);
  }

  async #after(wanted: Wanted): Promise<HandlerResult> {
    const { request, graph, commit } = wanted;
    const history = this.#history;
    if (commit > history.newest) {
      const message = `There is no commit ${commit} yet; the newest one is ${history.newest}. To wait for it, send commit=${history.positionOf(commit)}.`;
      return failure('not-found', message);
    }
    const choice = this.#choose(wanted, []);
    if (!choice) return notAcceptable(undefined);
    // The tag has the identity of the data, so whoever has it has had this representation.
    const tag = formatEntityTag(history.stateAt(commit), choice.format.variant);
    const noneMatch = request.header('if-none-match');
    if (noneMatch !== undefined && noneMatch.trim() !== '*' && namesTag(noneMatch, tag)) {
      return { status: 304, headers: validators(tag) };
    }
    const found = await history.find(graph, commit, request);
    if (!found.ok) return found;
    const conditional = this.#decide(request, graph, tag);
    const response = conditional ?? (await this.#send(wanted, found.value, []));
    return released(response, found.value.release);
  }

  /** Returns a response without a document, if the preconditions require one. */
  #decide(request: HttpRequest, graph: string, tag: string): HandlerResult | undefined {
    const match = request.header('if-match');
    if (match !== undefined && !matchesTag(match, tag)) return preconditionFailed(graph);
    const isAny = request.header('if-none-match')?.trim() === '*';
    return isAny ? { status: 304, headers: validators(tag) } : undefined;
  }

  /** `unwritable`: the formats that were chosen before and failed (G-54). */
  async #send(
    wanted: Wanted,
    found: FoundGraph,
    unwritable: readonly RdfFormat[],
    error?: ErrorData,
  ): Promise<HandlerResult> {
    const choice = this.#choose(wanted, unwritable);
    if (!choice) return notAcceptable(error && { formats: unwritable, error });
    const headers = this.#headers(wanted, choice, found);
    const { mediaType } = choice.format;
    if (wanted.request.method === 'HEAD' && holdsEveryGraph(mediaType)) return { status: 200, headers };
    const document = await this.#history.read(found, mediaType, wanted.request);
    if (document.ok) return { status: 200, headers, body: document.value };
    if (document.error.code !== 'not-acceptable') return document;
    return this.#send(wanted, found, [...unwritable, choice.format], document.error);
  }

  #choose({ request, format }: Wanted, unwritable: readonly RdfFormat[]): RdfChoice | undefined {
    return negotiateRdf(request.header('accept'), format, 'rdfjson', unwritable);
  }

  #headers({ graph, commit }: Wanted, choice: RdfChoice, { time }: FoundGraph): Header[] {
    const original = canonicalUrl(graph, this.#base);
    const date = time === null ? undefined : formatHttpDate(time);
    return [
      ...validators(formatEntityTag(this.#history.stateAt(commit), choice.format.variant)),
      ['Content-Type', choice.contentType],
      ['Content-Disposition', `attachment; filename="${fileName(graph, choice.format.extension)}"`],
      ['Link', timeGateLink(original)],
      ...(date === undefined ? [] : mementoHeaders(`${original}&commit=${commit}`, date)),
    ];
  }

  /** Leads to the state at a time (RFC 7089, pattern 1.1). */
  async #redirect(request: HttpRequest, graph: string, datetime: string): Promise<HandlerResult> {
    const time = parseHttpDate(datetime);
    if (time === undefined) {
      const message = `The header Accept-Datetime must be an HTTP date, such as ${formatHttpDate(0)}.`;
      return failure('bad-arguments', message);
    }
    // A date has whole seconds: what was committed within that second counts.
    const found = await this.#history.lastUntil(time + 999, request);
    if (!found.ok) return found;
    const original = canonicalUrl(graph, this.#base);
    return {
      status: 302,
      headers: [
        ['Location', `${original}&commit=${found.value.sequence}`],
        ['Link', timeGateLink(original)],
        ['Vary', 'Accept-Datetime'],
        ['Cache-Control', 'no-cache'],
      ],
    };
  }
}

const onlyForAll = failure(
  'forbidden',
  'Reading earlier versions requires credentials that may read all graphs.',
);

/** The graph's own address is its time gate. */
function timeGateLink(original: string): string {
  return `<${original}>; rel="original timegate"`;
}

function mementoHeaders(url: string, date: string): Header[] {
  return [
    ['Link', `<${url}>; rel="memento"; datetime="${date}"`],
    ['Memento-Datetime', date],
  ];
}

/** Returns the headers that a 304 also has. */
function validators(entityTag: string): Header[] {
  return [
    ['ETag', entityTag],
    ['Vary', 'Accept'],
    ['Cache-Control', 'no-cache'],
  ];
}

/** Calls `release` when the response has been sent, or need not be. */
function released(response: HandlerResult, release: () => void): HandlerResult {
  if ('error' in response || !isStream(response.body)) {
    release();
    return response;
  }
  return { ...response, body: releasing(response.body, release) };
}

function isStream(body: HttpResponse['body']): body is BodyStream {
  return body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array);
}

/** The chunks of a body. Its end is noticed even if it is never read. */
function releasing(body: BodyStream, release: () => void): BodyStream {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]();
      return {
        next: async () => {
          const next = await chunks.next().catch((error: unknown) => {
            release();
            throw error;
          });
          if (next.done) release();
          return next;
        },
        return: async () => {
          release();
          return (await chunks.return?.()) ?? { done: true, value: undefined };
        },
      };
    },
  };
}
