import { noSuchGraph } from '../../../errors.ts';
import { negotiateRdf, type RdfChoice } from '../../../rdf/media-types/accept.ts';
import { holdsEveryGraph } from '../../../rdf/media-types/media-types.ts';
import type { ContextInfo } from '../../../services/contexts/contexts.ts';
import { decideRead } from '../../headers/conditional.ts';
import type { DocumentVariants } from '../../headers/document-variants.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { fileName } from '../../headers/file-name.ts';
import { formatLastModified } from '../../headers/last-modified.ts';
import { rejectUnlessJson } from '../../json-response.ts';
import { count } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest, PendingResult } from '../../server/message.ts';
import { notAcceptable, preconditionFailed, type Unwritable } from './errors.ts';
import type { ContextOptions, Contexts } from './service.ts';
import { canonicalUrl } from './target.ts';

/** Handles GET and HEAD of graphs and of their list (http-api section 2). */
export class GraphReads {
  readonly #contexts: Contexts;
  readonly #base: string;
  readonly #variants: DocumentVariants;

  constructor(contexts: Contexts, { base, variants }: Pick<ContextOptions, 'base' | 'variants'>) {
    this.#contexts = contexts;
    this.#base = base;
    this.#variants = variants;
  }

  /**
   * Handles a graph (C-10 to C-12). `unwritable`: the formats that were chosen before and failed
   * (G-54).
   */
  read(request: HttpRequest, graph: string, query: Query, unwritable?: Unwritable): PendingResult {
    const info = this.#contexts.info(graph, request);
    if (!info) return noSuchGraph(graph);
    const choice = negotiateRdf(
      request.header('accept'),
      query.get('format'),
      'rdfjson',
      unwritable?.formats,
    );
    if (!choice) return notAcceptable(unwritable);
    const entityTag = formatEntityTag(info.state, this.#variants.variantOf(choice.format));
    const validators = readValidators(entityTag, info.modified);
    const decision = decideRead(request, entityTag, info);
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return preconditionFailed(graph);
    const headers = [...validators, ...this.#describe(info, choice)];
    const { format } = choice;
    if (request.method === 'HEAD' && holdsEveryGraph(format.mediaType)) return { status: 200, headers };
    return this.#contexts.read(graph, format.mediaType, request).then((document) => {
      if (document.ok) return { status: 200, headers, body: document.value };
      const { error } = document;
      if (error.code !== 'not-acceptable') return document;
      const formats = [...(unwritable?.formats ?? []), format];
      return this.read(request, graph, query, { formats, error });
    });
  }

  /** Handles the list of graphs, at `/context/list` and at `/context` (http-api 2.3). */
  async list(request: HttpRequest, query: Query): Promise<HandlerResult> {
    const offset = count(query, 'offset');
    if (!offset.ok) return offset;
    const limit = count(query, 'limit');
    if (!limit.ok) return limit;
    const notJson = rejectUnlessJson(request);
    if (notJson) return notJson;
    const options = {
      labels: query.has('labels'),
      onlyLocal: query.has('filter'),
      offset: offset.value ?? 0,
      limit: limit.value,
    };
    const body = await this.#contexts.list(options, request);
    if (!body.ok) return body;
    const headers: Header[] = [
      ['Content-Type', 'application/json'],
      ['Cache-Control', 'no-cache'],
      ['Vary', 'Accept'],
      ['Content-Location', `${this.#base}/context/list`],
    ];
    return { status: 200, headers, body: body.value };
  }

  #describe(info: ContextInfo, choice: RdfChoice): Header[] {
    const url = canonicalUrl(info.name, this.#base);
    return [
      ['Content-Type', choice.contentType],
      ['Content-Disposition', `attachment; filename="${fileName(info.name, choice.format.extension)}"`],
      ['Link', `<${url}>; rel="canonical"`],
      ['Link', `<${url}>; rel="original timegate"`],
    ];
  }
}

/** Returns the headers that a 304 also has (G-74). */
function readValidators(entityTag: string, modified: number): Header[] {
  return [
    ['ETag', entityTag],
    ['Last-Modified', formatLastModified(modified)],
    // The address is also its own time gate, see earlier.ts.
    ['Vary', 'Accept, Accept-Datetime'],
    ['Cache-Control', 'no-cache'],
  ];
}
