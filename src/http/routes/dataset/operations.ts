import { json, rdfInput, rdfOutput } from '../../description/bodies.ts';
import type { DescribedResponse, Operation } from '../../description/described-operation.ts';
import { ofRdf, ofSerialising, ofStore } from '../../description/problem-groups.ts';
import { format, inHeader, readConditions, writeConditions } from '../../description/shared-parameters.ts';
import { prefixesParameter } from '../../prefix-parameter.ts';

const tag = 'SPARQL';
const FOAF = 'http://xmlns.com/foaf/0.1/';
const people = `@prefix : <http://example.org/> . @prefix foaf: <${FOAF}> .
:people {
  :anna foaf:name "Anna" ; foaf:knows :sepp .
  :sepp foaf:name "Sepp" .
}
`;

/** All graphs in one document. */
export const wholeDataset: DescribedResponse = {
  description: 'All graphs.',
  headers: ['ETag', 'Vary', 'Content-Disposition'],
  content: rdfOutput({ quads: true }),
};

export const datasetOperations = {
  GET: {
    tag,
    summary: 'Read all graphs',
    parameters: [format, ...readConditions],
    responses: {
      200: wholeDataset,
      304: { description: 'The client has the current data.', headers: ['ETag', 'Vary'] },
    },
    problems: ['bad-query', 'not-acceptable', 'precondition-failed', ...ofSerialising],
    examples: [
      { name: 'trig', summary: 'As TriG', parameters: { format: 'trig' }, status: 200 },
      { name: 'noGraphs', summary: 'A format without graphs', parameters: { format: 'turtle' }, status: 406 },
    ],
  },
  POST: {
    tag,
    summary: 'Add quads',
    description: 'Triples without a graph go to the default context.',
    parameters: [prefixesParameter, ...writeConditions],
    body: { content: rdfInput() },
    responses: {
      200: {
        description: 'The quads are stored.',
        content: json({
          title: 'AddedQuads',
          type: 'object',
          required: ['added'],
          properties: { added: { type: 'integer', description: 'Quads that are new.' } },
        }),
      },
    },
    problems: [
      'bad-query',
      'graph-not-found',
      'precondition-failed',
      'server-managed',
      'ldp-managed',
      ...ofStore,
      ...ofRdf,
    ],
    examples: [
      {
        name: 'add',
        summary: 'Add a quad',
        body: { type: 'application/n-quads', text: '<urn:s> <urn:p> "o" <urn:g> .' },
        status: 200,
        response: { type: 'application/json', value: { added: 1 } },
      },
    ],
  },
  PUT: {
    tag,
    summary: 'Replace all graphs',
    description: 'Graphs of LDP resources stay.',
    parameters: [
      prefixesParameter,
      { ...inHeader('If-Match', 'The entity tag of the data that are replaced, or `*`.'), required: true },
      ...writeConditions.slice(1),
    ],
    body: { content: rdfInput() },
    responses: { 204: { description: 'The data are replaced.' } },
    problems: [
      'bad-query',
      'precondition-required',
      'precondition-failed',
      'server-managed',
      'ldp-managed',
      ...ofStore,
      ...ofRdf,
    ],
    examples: [
      {
        name: 'people',
        summary: 'The data that the other examples read',
        parameters: { 'If-Match': '*' },
        body: { type: 'application/trig', text: people },
        status: 204,
      },
    ],
  },
} as const satisfies Record<string, Operation>;
