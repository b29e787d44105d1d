import type { Operation, Schema } from '../../../description/described-operation.ts';
import { ofEvaluation, ofRdf } from '../../../description/problem-groups.ts';
import { otherFormats } from '../../../description/result-formats.ts';
import { iri, text } from '../../../description/shared-parameters.ts';
import { MULTIPART } from '../../graph-store/multipart.ts';

const ANNA = 'http://example.org/anna';

const common = {
  program: { ...text, description: 'A program. Exactly one of `program`, `path` and `name`.' },
  path: { ...text, description: 'One selection.' },
  name: { ...text, description: 'The name of a stored program.' },
  missing: { enum: ['error', 'empty'], default: 'error' },
  format: { ...text, default: 'nodes', description: 'The format of the results. It replaces `Accept`.' },
  separator: { ...text, default: '|', description: 'Between the values of a field in CSV and TSV.' },
  base: { ...iri, description: 'IRI against which relative IRIs of the data are resolved.' },
} as const;

const json: Schema = {
  title: 'SentData',
  type: 'object',
  required: ['data'],
  properties: {
    ...common,
    data: { ...text, description: 'RDF.' },
    dataType: { ...text, default: 'text/turtle', description: 'The format of the data.' },
    uris: { type: 'array', items: text, minItems: 1, description: 'Start resources.' },
    starts: { type: 'object', description: 'A set of start resources instead of `uris`.' },
    namespaces: { type: 'object', additionalProperties: iri, description: 'More prefixes.' },
  },
};

const form: Schema = {
  type: 'object',
  required: ['data', 'uri'],
  properties: { ...common, data: text, uri: { type: 'array', items: text } },
};

export const evaluateSentData: Operation = {
  tag: 'LDPath',
  summary: 'Evaluate a program on data in the request',
  description: 'The data are not stored (http-api 4.13).',
  body: { required: true, content: { 'application/json': json, [MULTIPART]: form, '*/*': {} } },
  responses: {
    200: {
      description: 'The results of the start resources, as for a batch.',
      content: { 'application/x-ndjson': text, ...otherFormats },
    },
  },
  problems: ['bad-query', 'bad-arguments', ...ofEvaluation, ...ofRdf, 'program-not-found'],
  examples: [
    {
      name: 'turtle',
      summary: 'A name in Turtle',
      body: {
        type: 'application/json',
        text: JSON.stringify({
          path: 'foaf:name',
          data: `<${ANNA}> <http://xmlns.com/foaf/0.1/name> "Anna" .`,
          uris: [ANNA],
          format: 'csv',
        }),
      },
      status: 200,
      response: { type: 'text/csv', value: `uri,value\r\n${ANNA},Anna\r\n` },
    },
    {
      name: 'badData',
      summary: 'Data that do not parse',
      body: {
        type: 'application/json',
        text: JSON.stringify({ path: '.', data: '<a> <b>', uris: [ANNA] }),
      },
      status: 400,
    },
  ],
};
