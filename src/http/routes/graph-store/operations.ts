import { rdfInput, rdfOutput } from '../../description/bodies.ts';
import type { ExampleRequest, Operation } from '../../description/described-operation.ts';
import { inPath } from '../../description/shared-parameters.ts';
import {
  anyGraphOperations,
  defaultGraph,
  type GraphOperations,
  graph,
  mapGraphOperations,
} from '../contexts/operations.ts';
import { wholeDataset } from '../dataset/operations.ts';
import { MULTIPART } from './multipart.ts';

const tag = 'SPARQL';
const path = inPath('path', 'The rest of the path; the URL is the name of the graph.');

const ofStore = mapGraphOperations(anyGraphOperations, (operation) => ({ ...operation, tag }));

/** POST also takes several documents in a form. */
const POST: Operation = {
  ...ofStore.POST,
  body: {
    description: 'A document, or several documents as the files of a form.',
    content: {
      ...rdfInput({ json: 'rdfjson' }),
      [MULTIPART]: { type: 'object', additionalProperties: { type: 'string' } },
    },
  },
  problems: [...ofStore.POST.problems, 'empty-body'],
};

const WOLVES = 'http://example.org/wolves';
const body = { type: 'text/turtle', text: '<http://example.org/isegrim> a <http://example.org/Wolf> .' };

const examples: Readonly<Record<keyof GraphOperations, ExampleRequest>> = {
  PUT: { name: 'create', summary: 'Create a graph', parameters: { graph: WOLVES }, body, status: 201 },
  POST: { name: 'mint', summary: 'Create a graph with a new name', body, status: 201 },
  GET: { name: 'whole', summary: 'Read the whole store', status: 200 },
  DELETE: { name: 'remove', summary: 'Delete a graph', parameters: { graph: WOLVES }, status: 200 },
};

/** `/store?graph=…`, `/store?default`, and the store itself. */
export const storeOperations: GraphOperations = mapGraphOperations(
  {
    ...ofStore,
    GET: {
      ...ofStore.GET,
      summary: 'Read a graph, or all graphs',
      description:
        'Without `graph` and `default` it reads all graphs, as `/dataset` does. With a plain number as `commit`: the graph as it was after that commit (http-api 2.4).',
      responses: {
        ...ofStore.GET.responses,
        200: {
          ...ofStore.GET.responses[200]!,
          description: 'The triples of the graph, or all quads.',
          content: { ...rdfOutput({ json: 'rdfjson' }), ...wholeDataset.content },
        },
      },
    },
    POST: {
      ...POST,
      summary: 'Add triples to a graph, or create one',
      description: 'Without `graph` and `default` the server makes a name for a new graph.',
    },
  },
  (operation, method) => ({
    ...operation,
    parameters: [graph, defaultGraph, ...(operation.parameters ?? [])],
    problems: [...operation.problems, 'missing-parameter'],
    examples: [examples[method]],
  }),
);

/** `/store/{path}` */
export const directOperations: GraphOperations = mapGraphOperations(
  { ...ofStore, POST },
  (operation, method) => ({
    ...operation,
    tails: ['/{path}'],
    parameters: [path, ...(operation.parameters ?? [])],
    examples: [
      {
        name: 'direct',
        summary: 'The graph `{base}/store/bears`',
        parameters: { path: 'bears' },
        ...(operation.body && { body }),
        status: { PUT: 201, POST: 200, GET: 200, DELETE: 200 }[method],
      },
    ],
  }),
);
