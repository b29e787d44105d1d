import { json, line, notModified, rdfInput, rdfOutput } from '../../description/bodies.ts';
import type { ExampleRequest, Operation, Parameter, Schema } from '../../description/described-operation.ts';
import { ofRdf, ofSerialising, ofStore } from '../../description/problem-groups.ts';
import {
  flag,
  format,
  inHeader,
  inQuery,
  iri,
  readConditions,
  uuid,
  writeConditions,
} from '../../description/shared-parameters.ts';
import { prefixesParameter } from '../../prefix-parameter.ts';
import type { RouteMethod } from '../../server/router.ts';
import { withWatch } from '../changes/operations.ts';

/** The operations of a graph. */
export type GraphOperations = Readonly<Record<Exclude<RouteMethod, 'PATCH'>, Operation>>;

export const graph = inQuery('graph', 'The name of the graph, an absolute IRI.', iri);
export const defaultGraph = inQuery('default', 'Addresses the default context (C-2).', flag);

const TURTLE = 'text/turtle';
const GRAPH = 'http://example.org/cats';
const tag = 'Contexts';

const merged: Schema = {
  title: 'MergedGraph',
  type: 'object',
  required: ['uri', 'size', 'added'],
  properties: {
    uri: { ...iri, description: 'Name of the graph.' },
    size: { type: 'integer', description: 'Triples in the graph now.' },
    added: { type: 'integer', description: 'Triples that are new.' },
  },
};

const graphList: Schema = {
  title: 'GraphList',
  type: 'array',
  items: {
    oneOf: [
      iri,
      {
        title: 'GraphEntry',
        type: 'object',
        required: ['uri', 'label', 'size'],
        properties: {
          uri: iri,
          label: { type: 'string' },
          size: { type: 'integer', description: 'Number of triples.' },
        },
      },
    ],
  },
};

const listParameters: readonly Parameter[] = [
  inQuery('labels', 'Returns objects with label and size instead of names.', flag),
  inQuery('filter', 'Only graphs whose name begins with `{base}/context/`.', flag),
  inQuery('offset', 'Number of graphs to leave out.', { type: 'integer', minimum: 0 }),
  inQuery('limit', 'Maximum number of graphs.', { type: 'integer', minimum: 0 }),
];

export const listGraphs: Operation = {
  tag,
  summary: 'List the graphs',
  description: 'Sorted by name (http-api 2.3).',
  parameters: listParameters,
  responses: {
    200: { description: 'The graphs.', headers: ['Content-Location', 'Vary'], content: json(graphList) },
  },
  problems: ['bad-query', 'not-acceptable', ...ofSerialising],
  examples: [
    { name: 'labelled', summary: 'With labels and sizes', parameters: { labels: '' }, status: 200 },
    { name: 'badLimit', summary: 'A limit that is no number', parameters: { limit: 'all' }, status: 400 },
  ],
};

const acceptDatetime = inHeader('Accept-Datetime', 'Leads to the graph as it was at this HTTP date (C-43).');
const ofEarlierStates = ['not-found', 'position-gone', 'data-damaged'] as const;
const ofTarget = ['bad-query', 'bad-iri'] as const;
const ofWrites = [
  ...ofTarget,
  'graph-not-found',
  'server-managed',
  'ldp-managed',
  'precondition-failed',
  ...ofStore,
] as const;

/** The operations of a graph, whatever its address. */
export const anyGraphOperations: GraphOperations = {
  GET: {
    tag,
    summary: 'Read a graph',
    description: 'With a plain number as `commit`: as it was after that commit (http-api 2.4).',
    parameters: [format, ...readConditions, acceptDatetime],
    responses: {
      200: {
        description: 'The triples of the graph.',
        headers: ['ETag', 'Last-Modified', 'Memento-Datetime', 'Vary', 'Link', 'Content-Disposition'],
        content: rdfOutput({ json: 'rdfjson' }),
      },
      302: {
        description: 'The address of the graph as it was at the time of `Accept-Datetime`.',
        headers: ['Location', 'Link', 'Vary'],
      },
      304: notModified,
    },
    problems: [
      ...ofTarget,
      'graph-not-found',
      'not-acceptable',
      'precondition-failed',
      ...ofEarlierStates,
      ...ofSerialising,
    ],
  },
  PUT: {
    tag,
    summary: 'Replace a graph',
    parameters: [prefixesParameter, ...writeConditions],
    body: { description: 'The new triples.', content: rdfInput({ json: 'rdfjson' }) },
    responses: {
      201: { description: 'The graph was created.', headers: ['Location'] },
      204: { description: 'The graph was replaced.' },
    },
    problems: [...ofWrites, ...ofRdf],
  },
  POST: {
    tag,
    summary: 'Add triples to a graph',
    parameters: [prefixesParameter, ...writeConditions],
    body: { description: 'The triples to add.', content: rdfInput({ json: 'rdfjson' }) },
    responses: {
      200: { description: 'The triples are in the graph.', content: json(merged) },
      201: { description: 'The graph was created.', headers: ['Location'] },
      204: { description: 'The body had no triples, and the graph existed.' },
    },
    problems: [...ofWrites, ...ofRdf],
  },
  DELETE: {
    tag,
    summary: 'Delete a graph',
    parameters: writeConditions,
    responses: { 200: { description: 'The graph was deleted.', content: line } },
    problems: ofWrites,
  },
};

const isCat = (subject: string) => `<${subject}> a <http://example.org/Cat> .`;
const turtle = (text: string) => ({ type: TURTLE, text });

const examples: Readonly<Record<keyof GraphOperations, readonly ExampleRequest[]>> = {
  PUT: [
    {
      name: 'create',
      summary: 'Create a graph',
      parameters: { graph: GRAPH },
      body: turtle(isCat('http://example.org/tom')),
      status: 201,
    },
    {
      name: 'badSyntax',
      summary: 'A document that does not parse',
      parameters: { graph: GRAPH },
      body: turtle('<http://example.org/tom> a .'),
      status: 400,
    },
  ],
  POST: [
    {
      name: 'add',
      summary: 'Add a triple',
      parameters: { graph: GRAPH },
      body: turtle(isCat('http://example.org/kit')),
      status: 200,
      response: { type: 'application/json', value: { uri: GRAPH, size: 2, added: 1 } },
    },
  ],
  GET: [
    { name: 'listing', summary: 'List the graphs', status: 200 },
    {
      name: 'nTriples',
      summary: 'Read a graph as N-Triples',
      parameters: { graph: 'http://example.org/people', format: 'nt' },
      status: 200,
    },
    {
      name: 'missing',
      summary: 'A graph that does not exist',
      parameters: { graph: 'http://example.org/none' },
      status: 404,
    },
    { name: 'badName', summary: 'A name that is not an IRI', parameters: { graph: 'foo' }, status: 400 },
    {
      name: 'badFormat',
      summary: 'A format that does not exist',
      parameters: { graph: GRAPH, format: 'pdf' },
      status: 406,
    },
  ],
  DELETE: [
    { name: 'remove', summary: 'Delete a graph', parameters: { graph: GRAPH }, status: 200 },
    {
      name: 'missing',
      summary: 'A graph that does not exist',
      parameters: { graph: 'http://example.org/none' },
      status: 404,
    },
  ],
};

/** `/context?graph=…`, `/context?default`, and `/context` as the name of a graph. */
export const graphOperations: GraphOperations = {
  ...mapGraphOperations(anyGraphOperations, (operation, method) => ({
    ...operation,
    description: 'The graph `{base}/context` if the request names none.',
    parameters: [graph, defaultGraph, ...(operation.parameters ?? [])],
    examples: examples[method],
  })),
  GET: withWatch({
    ...anyGraphOperations.GET,
    summary: 'Read a graph, or list the graphs',
    description:
      'Without `graph` and `default` it lists the graphs, as `/context/list` does. With a plain number as `commit`: the graph as it was after that commit (http-api 2.4).',
    parameters: [graph, defaultGraph, ...listParameters, ...(anyGraphOperations.GET.parameters ?? [])],
    responses: {
      ...anyGraphOperations.GET.responses,
      200: {
        ...anyGraphOperations.GET.responses[200]!,
        description: 'The triples of the graph, or the list.',
        content: {
          ...rdfOutput({ json: 'rdfjson' }),
          'application/json': { oneOf: [graphList, { type: 'object', description: 'RDF/JSON.' }] },
        },
      },
    },
    examples: examples.GET,
  }),
};

/** `/context/{uuid}` */
export const localGraphOperations: GraphOperations = mapGraphOperations(
  { ...anyGraphOperations, GET: withWatch(anyGraphOperations.GET) },
  (operation, method) => ({
    ...operation,
    tails: ['/{uuid}'],
    parameters: [uuid, ...(operation.parameters ?? [])],
    examples: [
      {
        name: 'local',
        summary: 'The graph `{base}/context/dogs`',
        parameters: { uuid: 'dogs' },
        ...(operation.body && { body: turtle(isCat('http://example.org/rex')) }),
        status: method === 'PUT' ? 201 : 200,
        ...(method === 'POST' && { body: turtle(isCat('http://example.org/bello')) }),
      },
    ],
  }),
);

/** Returns operations that are made of others, method by method. */
export function mapGraphOperations(
  operations: GraphOperations,
  change: (operation: Operation, method: keyof GraphOperations) => Operation,
): GraphOperations {
  const { GET, PUT, POST, DELETE } = operations;
  return {
    GET: change(GET, 'GET'),
    PUT: change(PUT, 'PUT'),
    POST: change(POST, 'POST'),
    DELETE: change(DELETE, 'DELETE'),
  };
}
