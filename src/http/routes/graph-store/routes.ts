import { randomUUID } from 'node:crypto';
import { newNameDenial } from '../../../base/graph-access.ts';
import { failure, type Result } from '../../../errors.ts';
import { readableTypes } from '../../../rdf/media-types/media-types.ts';
import { endpoint } from '../../description/endpoint.ts';
import { badIri } from '../../iri-parameter.ts';
import { withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import { type Handler, type HttpRequest, type PendingResult, rejection } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { GraphReads } from '../contexts/read.ts';
import type { Contexts, GraphOptions } from '../contexts/service.ts';
import { type ContextTarget, directTarget, queriedTarget } from '../contexts/target.ts';
import { type DocumentsOf, GraphWrites, wholeBody } from '../contexts/write.ts';
import { documentsOfForm, isMultipart, MULTIPART } from './multipart.ts';
import { directOperations, storeOperations } from './operations.ts';

type Action = (request: HttpRequest, target: ContextTarget, query: Query) => PendingResult;

const nameMissing = "Name a graph with 'graph=', or the default graph with 'default'.";

/**
 * Routes of the SPARQL 1.1 Graph Store HTTP Protocol, for the same graphs as `/context`.
 * `/store?graph=G` and `/store?default` name a graph by parameter; `/store/PATH` is itself the name
 * of a graph. A request that names no graph addresses the whole store: `readAll` handles such a
 * GET.
 */
export function graphStoreRoutes(contexts: Contexts, options: GraphOptions, readAll: Handler): Route[] {
  const place = `${options.base}/store`;
  const reads = new GraphReads(contexts, options);
  const writes = new GraphWrites(contexts, options.maxBytes);
  const actions = {
    GET: (request, { graph }, query) =>
      options.earlier.read(request, graph, query) ?? reads.read(request, graph, query),
    PUT: (request, target) => writes.replace(request, target),
    POST: (request, target) => writes.merge(request, target, documentsFor(request)),
    DELETE: (request, target) => writes.remove(request, target),
  } satisfies Record<string, Action>;

  const queried = (action: Action, bare: Handler = rejectUnnamed): Handler =>
    withQuery((request, query, rest) => {
      const target = storeTarget(query, place, contexts.defaultGraph);
      if (!target.ok) return target;
      return target.value ? action(request, target.value, query) : bare(request, rest);
    });
  const direct = (action: Action): Handler =>
    withQuery((request, query, rest) => {
      if (query.has('graph') || query.has('default')) return namedTwice;
      const target = directTarget(rest, place);
      return target.ok ? action(request, target.value, query) : target;
    });
  /** A document posted to the store itself creates a new graph. */
  const create: Handler = (request) => {
    const graph = `${place}/${randomUUID()}`;
    const denied = newNameDenial(request, graph);
    if (denied) return rejection(denied);
    return writes.merge(request, { graph, url: graph }, documentsFor(request));
  };

  const { GET, PUT, POST, DELETE } = actions;
  return [
    {
      path: '/store',
      methods: {
        GET: endpoint(queried(GET, readAll), storeOperations.GET),
        PUT: endpoint(queried(PUT), storeOperations.PUT),
        POST: endpoint(queried(POST, create), storeOperations.POST),
        DELETE: endpoint(queried(DELETE), storeOperations.DELETE),
      },
    },
    {
      path: '/store',
      tail: 'any',
      methods: {
        GET: endpoint(direct(GET), directOperations.GET),
        PUT: endpoint(direct(PUT), directOperations.PUT),
        POST: endpoint(direct(POST), directOperations.POST),
        DELETE: endpoint(direct(DELETE), directOperations.DELETE),
      },
    },
  ];
}

/**
 * Stricter than `/context`, where a blank parameter counts as missing: a request that has lost the
 * name of its graph must not create a new one.
 */
function storeTarget(query: Query, place: string, defaultGraph: string): Result<ContextTarget | undefined> {
  const [graph, ...more] = query.values('graph');
  if (more.length > 0) return failure('bad-query', "The parameter 'graph' is given several times.");
  if (graph?.trim() === '') return badIri('graph', graph);
  return queriedTarget(query, place, defaultGraph);
}

function documentsFor(request: HttpRequest): DocumentsOf {
  return isMultipart(request) ? documentsOfForm : documentOrForm;
}

/** Reads one document. If its type is not supported, the error also lists the type of forms. */
const documentOrForm: DocumentsOf = (request) => {
  const read = wholeBody('rdfjson')(request);
  if (read.ok || read.error.code !== 'unsupported-media-type') return read;
  const { code, message } = read.error;
  return failure(code, message, { available: [...readableTypes, MULTIPART] });
};

const namedTwice = failure(
  'bad-query',
  "The path already names a graph: 'graph' and 'default' are allowed only at /store itself.",
);

const rejectUnnamed: Handler = () => failure('missing-parameter', nameMissing);
