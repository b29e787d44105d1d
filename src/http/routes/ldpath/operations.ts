import { json } from '../../description/bodies.ts';
import type { Operation, Schema } from '../../description/described-operation.ts';
import { ofBody, ofEvaluation, ofText } from '../../description/problem-groups.ts';
import { formatParameters, otherFormats } from '../../description/result-formats.ts';
import {
  flag,
  inHeader,
  inPath,
  inQuery,
  iri,
  namespaces,
  repeated,
  required,
} from '../../description/shared-parameters.ts';

const tag = 'LDPath';
const ANNA = 'http://example.org/anna';
const PROGRAM = 'name = foaf:name ;';
const text: Schema = { type: 'string' };

const nodes: Schema = {
  title: 'Nodes',
  type: 'array',
  items: {
    title: 'Node',
    type: 'object',
    required: ['type', 'value'],
    properties: {
      type: { enum: ['uri', 'literal', 'bnode', 'triple'] },
      value: text,
      lang: text,
      direction: { enum: ['ltr', 'rtl'] },
      datatype: iri,
    },
  },
};

const fields: Schema = {
  title: 'Fields',
  description: 'The nodes of each field of the program.',
  type: 'object',
  additionalProperties: nodes,
};

const start = required(
  inQuery('uri', 'The start resource: an absolute IRI, or a blank node as `_:<id>`.', text),
);
const program = inQuery('program', 'The program. Exactly one of `program` and `name`.');
const stored = inQuery('name', 'The name of a stored program.');
const ifMatch = inHeader('If-Match', 'Only `*` can match (P-9).');
const ofResult = {
  headers: ['ETag', 'Vary'],
  description: 'The result.',
} as const;
const tagged: Operation['responses'] = {
  304: { description: 'Nothing was written since the result with this tag.', headers: ['ETag', 'Vary'] },
};
const conditions = [inHeader('If-None-Match', 'The tag of a result that the client has.'), ifMatch];
const programText = { description: 'The program.', content: { 'text/plain': text, '*/*': {} } };

export const evaluatePath: Operation = {
  tag,
  summary: 'Evaluate a path',
  parameters: [
    required(inQuery('path', 'One selection.')),
    start,
    namespaces,
    ...formatParameters,
    ...conditions,
  ],
  responses: { ...tagged, 200: { ...ofResult, content: { ...json(nodes), ...otherFormats } } },
  problems: ['bad-query', ...ofEvaluation, 'bad-arguments', 'precondition-failed'],
  examples: [
    {
      name: 'friends',
      summary: 'The names of friends',
      parameters: { path: 'foaf:knows / foaf:name', uri: ANNA },
      status: 200,
      response: { type: 'application/json', value: [{ type: 'literal', value: 'Sepp' }] },
    },
    {
      name: 'csv',
      summary: 'The same as CSV',
      parameters: { path: 'foaf:knows / foaf:name', uri: ANNA, format: 'csv' },
      status: 200,
      response: { type: 'text/csv', value: `uri,value\r\n${ANNA},Sepp\r\n` },
    },
    {
      name: 'badSyntax',
      summary: 'A path that does not parse',
      parameters: { path: 'foaf:knows /', uri: ANNA },
      status: 400,
    },
    {
      name: 'missing',
      summary: 'A start resource that does not exist',
      parameters: { path: 'foaf:name', uri: 'http://example.org/nobody' },
      status: 404,
    },
  ],
};

export const evaluateProgram: Operation = {
  tag,
  summary: 'Evaluate a program',
  parameters: [program, stored, start, namespaces, ...formatParameters, ...conditions],
  responses: { ...tagged, 200: { ...ofResult, content: { ...json(fields), ...otherFormats } } },
  problems: [...evaluatePath.problems, 'program-not-found'],
  examples: [
    {
      name: 'friends',
      summary: 'Friends of a person',
      parameters: { program: 'friends = foaf:knows / foaf:name ;', uri: ANNA },
      status: 200,
      response: { type: 'application/json', value: { friends: [{ type: 'literal', value: 'Sepp' }] } },
    },
  ],
};

export const evaluatePostedProgram: Operation = {
  tag,
  summary: 'Evaluate a program',
  description: 'The program is the body, or a parameter if the body is empty.',
  parameters: [program, stored, start, namespaces, ...formatParameters],
  body: programText,
  responses: { 200: { description: 'The result.', content: { ...json(fields), ...otherFormats } } },
  problems: ['bad-query', ...ofEvaluation, ...ofText, 'bad-arguments', 'program-not-found'],
  examples: [
    {
      name: 'friends',
      summary: 'Friends of a person',
      parameters: { uri: ANNA },
      body: { type: 'text/plain', text: 'friends = foaf:knows / foaf:name ;' },
      status: 200,
    },
  ],
};

export const debugProgram: Operation = {
  tag,
  summary: 'Evaluate a program for several start resources',
  description: 'All or nothing (http-api 4.4).',
  parameters: [
    required(repeated('context', 'A start resource; also `context[]`.', text)),
    inQuery('details', 'Adds warnings, skipped values, and the values of filter and boost.', flag),
    inQuery('trace', 'Adds to the details which triples led to the results (P-72).', flag),
    stored,
    namespaces,
  ],
  body: programText,
  responses: {
    200: {
      description: 'The fields by start resource.',
      content: json({
        anyOf: [
          { type: 'object', additionalProperties: fields },
          {
            title: 'DetailedResults',
            type: 'object',
            required: ['warnings', 'results'],
            properties: { warnings: { type: 'array' }, results: { type: 'object' } },
          },
        ],
      }),
    },
  },
  problems: ['bad-query', ...ofEvaluation, ...ofText, 'program-not-found'],
  examples: [
    {
      name: 'two',
      summary: 'Two start resources',
      parameters: { context: [ANNA, 'http://example.org/sepp'] },
      body: { type: 'text/plain', text: PROGRAM },
      status: 200,
    },
    {
      name: 'trace',
      summary: 'How a result came about',
      parameters: { trace: '', context: [ANNA] },
      body: { type: 'text/plain', text: 'friends = foaf:knows / foaf:name ;' },
      status: 200,
    },
    { name: 'none', summary: 'No start resource', body: { type: 'text/plain', text: PROGRAM }, status: 400 },
  ],
};

const description: Schema = {
  title: 'FunctionDescription',
  type: 'object',
  required: ['name', 'signature', 'description'],
  properties: { name: text, signature: text, description: text },
};

export const listFunctions: Operation = {
  tag,
  summary: 'List the functions',
  responses: { 200: { description: 'All functions.', content: json({ type: 'array', items: description }) } },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'all', summary: 'All functions', status: 200 }],
};

export const readFunction: Operation = {
  tag,
  summary: 'Describe a function',
  tails: ['/{name}'],
  parameters: [inPath('name', 'Its name, with or without `fn:`.')],
  responses: { 200: { description: 'The function.', content: json(description) } },
  problems: ['bad-query', 'not-acceptable', 'function-not-found'],
  examples: [
    { name: 'concat', summary: 'A function', parameters: { name: 'concat' }, status: 200 },
    { name: 'unknown', summary: 'An unknown one', parameters: { name: 'nothing' }, status: 404 },
  ],
};

const startSet: Schema = {
  title: 'StartSet',
  description: 'A set of start resources (http-api P-27).',
  oneOf: [
    { type: 'object', required: ['type'], properties: { type: iri } },
    { type: 'object', required: ['graph'], properties: { graph: iri } },
    { type: 'object', required: ['subjects'], properties: { subjects: { const: true } } },
    {
      type: 'object',
      required: ['path', 'from'],
      properties: { path: text, from: { anyOf: [iri, { type: 'array', items: iri, minItems: 1 }] } },
    },
  ],
};

const batch: Schema = {
  title: 'Batch',
  type: 'object',
  properties: {
    program: { ...text, description: 'A program. Exactly one of `program`, `path` and `name`.' },
    name: { ...text, description: 'The name of a stored program.' },
    path: { ...text, description: 'One selection.' },
    uris: {
      type: 'array',
      items: text,
      minItems: 1,
      description: 'Start resources. Exactly one of `uris` and `starts`, unless `name` is given.',
    },
    starts: startSet,
    limit: { type: 'integer', minimum: 1, description: 'Maximum number of members of the set.' },
    cursor: { ...text, description: 'Where to go on with the set: from an earlier response.' },
    ordered: { type: 'boolean', default: false, description: 'Lines in the order of `uris` or of the set.' },
    missing: {
      enum: ['error', 'empty'],
      default: 'error',
      description: 'What a start resource that does not exist gets.',
    },
    namespaces: { type: 'object', additionalProperties: iri, description: 'More prefixes.' },
    format: { ...text, default: 'nodes', description: 'The format of the results. It replaces `Accept`.' },
    separator: { ...text, default: '|', description: 'Between the values of a field in CSV and TSV.' },
  },
};

export const startBatchOperation: Operation = {
  tag,
  summary: 'Evaluate a program for many start resources',
  description: 'The response is a stream of JSON objects, one a line (http-api 4.8).',
  body: { required: true, content: { 'application/json': batch, '*/*': {} } },
  responses: {
    200: {
      description: 'A line for each start resource, and a last line with `done`; for a set, other lines too.',
      headers: ['Link'],
      content: { 'application/x-ndjson': text, ...otherFormats },
    },
  },
  problems: [
    'bad-query',
    'bad-arguments',
    ...ofEvaluation,
    ...ofBody,
    'unsupported-media-type',
    'program-not-found',
    'position-gone',
  ],
  examples: [
    {
      name: 'set',
      summary: 'All instances of a class',
      body: {
        type: 'application/json',
        text: '{"path":"foaf:name","starts":{"type":"http://xmlns.com/foaf/0.1/Person"}}',
      },
      status: 200,
    },
    {
      name: 'two',
      summary: 'Two start resources, one of them unknown',
      body: {
        type: 'application/json',
        text: JSON.stringify({ path: 'foaf:name', uris: [ANNA, 'http://example.org/nobody'] }),
      },
      status: 200,
    },
    {
      name: 'empty',
      summary: 'No start resource',
      body: { type: 'application/json', text: '{"path":"foaf:name","uris":[]}' },
      status: 400,
    },
  ],
};
