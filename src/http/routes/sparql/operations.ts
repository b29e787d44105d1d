import { resultsFormats } from '../../../sparql/results/formats.ts';
import { rdfOutput, textOf } from '../../description/bodies.ts';
import type { Content, ExampleRequest, Operation, Schema } from '../../description/described-operation.ts';
import { ofBody, ofSparql, ofStore } from '../../description/problem-groups.ts';
import { format, inHeader, inQuery, repeated } from '../../description/shared-parameters.ts';
import { FORM, type OperationKinds, typeOf } from './protocol-operation.ts';

const tag = 'SPARQL';
const text: Schema = { type: 'string' };
const QUERY = 'SELECT ?name { ?person <http://xmlns.com/foaf/0.1/name> ?name }';

const results: Content = {
  ...textOf(...resultsFormats.flatMap(({ mediaType, aliases }) => [mediaType, ...aliases])),
  ...rdfOutput({ json: 'jsonld' }),
};

const ofQuery = [
  repeated('default-graph-uri', 'A graph of the default graph, instead of FROM.'),
  repeated('named-graph-uri', 'A named graph, instead of FROM NAMED.'),
  format,
  inQuery('output', 'Another name for `format`.'),
] as const;
const ofUpdate = [
  repeated('using-graph-uri', 'A graph of the default graph, instead of USING.'),
  repeated('using-named-graph-uri', 'A named graph, instead of USING NAMED.'),
] as const;

export const queryOperation: Operation = {
  tag,
  summary: 'Evaluate a query, or describe the service',
  description: 'Without `query` it describes the service in RDF.',
  parameters: [
    inQuery('query', 'The query.'),
    ...ofQuery,
    inHeader('If-None-Match', 'The tag of a result that the client has.'),
    inHeader('If-Match', 'Only `*` can match.'),
  ],
  responses: {
    200: { description: 'The result.', headers: ['ETag', 'Vary'], content: results },
    304: { description: 'Nothing was written since the result with this tag.', headers: ['ETag', 'Vary'] },
  },
  problems: [...ofSparql, 'not-acceptable'],
  examples: [
    { name: 'names', summary: 'Names of persons', parameters: { query: QUERY, format: 'csv' }, status: 200 },
    { name: 'service', summary: 'Describe the service', status: 200 },
    { name: 'badSyntax', summary: 'Not SPARQL', parameters: { query: 'SELECT' }, status: 400 },
  ],
};

/** POST of an endpoint that supports these operations. */
export function postOperation(kinds: OperationKinds): Operation {
  const queries = kinds.includes('query');
  const updates = kinds.includes('update');
  const forms = Object.fromEntries(kinds.map((kind) => [kind, text]));
  return {
    tag,
    summary: `Evaluate ${kinds.map((kind) => articleOf[kind]).join(' or ')}`,
    parameters: [...(queries ? ofQuery : []), ...(updates ? ofUpdate : [])],
    body: {
      required: true,
      content: {
        [FORM]: { type: 'object', properties: forms, additionalProperties: true },
        ...textOf(...kinds.map((kind) => typeOf[kind])),
      },
    },
    responses: {
      ...(queries && {
        200: { description: 'The result of the query.', headers: ['Vary'], content: results },
      }),
      ...(queries && { 304: { description: 'There is a result, and the request had `If-None-Match: *`.' } }),
      ...(updates && { 204: { description: 'The update is stored.' } }),
    },
    problems: [
      ...ofSparql,
      ...ofBody,
      'unsupported-media-type',
      ...(queries ? (['not-acceptable'] as const) : []),
      ...(updates ? ofUpdates : []),
    ],
    examples: kinds.map((kind) => exampleOf[kind]),
  };
}

const articleOf = { query: 'a query', update: 'an update' } as const;

const ofUpdates = [
  'bad-term',
  'forbidden',
  'cross-origin',
  'graph-not-found',
  'graph-exists',
  'server-managed',
  'ldp-managed',
  ...ofStore,
] as const;

const exampleOf: Readonly<Record<OperationKinds[number], ExampleRequest>> = {
  query: {
    name: 'query',
    summary: 'Names of persons',
    body: { type: typeOf.query, text: QUERY },
    status: 200,
  },
  update: {
    name: 'update',
    summary: 'Add a triple',
    body: { type: typeOf.update, text: 'INSERT DATA { <urn:s> <urn:p> "o" }' },
    status: 204,
  },
};
