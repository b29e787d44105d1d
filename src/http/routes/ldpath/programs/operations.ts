import { json, notModified, textOf } from '../../../description/bodies.ts';
import type { Operation, Schema } from '../../../description/described-operation.ts';
import { ofEvaluation, ofStore, ofText } from '../../../description/problem-groups.ts';
import { formatParameters } from '../../../description/result-formats.ts';
import {
  inHeader,
  inPath,
  inQuery,
  iri,
  namespaces,
  readConditions,
  required,
  text,
  writeConditions,
} from '../../../description/shared-parameters.ts';
import { evaluateProgram } from '../operations.ts';
import { PROGRAM_TYPES } from './definition.ts';

const tag = 'LDPath';
const ANNA = 'http://example.org/anna';
const PROGRAM = 'friends = foaf:knows / foaf:name :: xsd:string ;';
const named = { tag, tails: ['/{name}'] } as const;
const name = inPath('name', "1 to 128 letters, digits, '.', '_' and '-'; the first is no dot.");

const starts: Schema = {
  title: 'DeclaredStarts',
  description: 'The start resources of the program; null: all subjects that are IRIs.',
  anyOf: [
    { type: 'object', required: ['type'], properties: { type: iri } },
    { type: 'object', required: ['graph'], properties: { graph: iri } },
    { type: 'object', required: ['subjects'], properties: { subjects: { const: true } } },
    { type: 'null' },
  ],
};
const prefixes: Schema = { type: 'object', additionalProperties: iri, description: 'More prefixes.' };
const position = { ...text, description: 'The commit, as `/changes` takes it.' };
const commit = { type: 'integer', description: 'Number of the commit that last changed it.' };
const entityTag = { ...text, description: 'The entity tag of the text.' };

const traceability = {
  incremental: {
    type: 'boolean',
    description: 'Whether the results that a commit changes are found from its changes alone.',
  },
  reason: { ...text, description: 'Why not.' },
} as const;

const facts = {
  name: text,
  starts,
  bytes: { type: 'integer', description: 'Length of the text in UTF-8.' },
  commit,
  position,
  modified: { type: 'string', format: 'date-time' },
  tag: entityTag,
} as const;

const listed: Schema = {
  title: 'ListedProgram',
  type: 'object',
  required: [...Object.keys(facts), 'incremental', 'links'],
  properties: { ...facts, ...traceability, links: { type: 'object', additionalProperties: iri } },
};

const described: Schema = {
  title: 'StoredProgram',
  type: 'object',
  required: [...Object.keys(facts), 'incremental', 'program', 'namespaces'],
  properties: { ...facts, ...traceability, program: text, namespaces: prefixes },
};

const definition: Schema = {
  title: 'ProgramDefinition',
  type: 'object',
  required: ['program'],
  properties: { program: text, starts, namespaces: prefixes },
};

const receipt: Schema = {
  title: 'StoredProgramReceipt',
  type: 'object',
  required: ['commit', 'position', 'tag', 'warnings', 'incremental'],
  properties: {
    commit,
    position,
    tag: entityTag,
    warnings: { type: 'array', description: 'Warnings of the compiler, with line and column.' },
    ...traceability,
  },
};

export const listPrograms: Operation = {
  tag,
  summary: 'List the stored programs',
  responses: {
    200: { description: 'All stored programs, by name.', content: json({ type: 'array', items: listed }) },
  },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'all', summary: 'All stored programs', status: 200 }],
};

export const readProgram: Operation = {
  ...named,
  summary: 'Read a stored program',
  parameters: [name, ...readConditions],
  responses: {
    200: {
      description: 'The text of the program, or all that is stored.',
      headers: ['ETag', 'Last-Modified', 'Vary'],
      content: { ...textOf(...PROGRAM_TYPES), ...json(described) },
    },
    304: notModified,
  },
  problems: ['bad-query', 'program-not-found', 'not-acceptable', 'precondition-failed'],
  examples: [
    { name: 'people', summary: 'Its text', parameters: { name: 'people' }, status: 200 },
    { name: 'unknown', summary: 'An unknown one', parameters: { name: 'nothing' }, status: 404 },
  ],
};

export const storeProgram: Operation = {
  ...named,
  summary: 'Store a program',
  description: 'It is compiled first. The same program again changes nothing (http-api 4.12).',
  parameters: [
    name,
    inQuery('type', 'The start resources are the resources of this class.', iri),
    inQuery('graph', 'The start resources are the subjects in this graph.', iri),
    inQuery('subjects', 'The start resources are all subjects.', { const: 'true' }),
    namespaces,
    ...writeConditions,
  ],
  body: { required: true, content: { ...textOf(...PROGRAM_TYPES), ...json(definition) } },
  responses: {
    200: { description: 'The program of this name was replaced, or is the same.', content: json(receipt) },
    201: { description: 'There was no program of this name.', content: json(receipt) },
  },
  problems: [
    'bad-query',
    'bad-path',
    'bad-iri',
    'bad-arguments',
    'empty-body',
    'missing-parameter',
    'unknown-prefix',
    'unknown-function',
    'precondition-failed',
    'quarantined',
    'time-limit',
    ...ofText,
    ...ofStore,
  ],
  examples: [
    {
      name: 'people',
      summary: 'The friends of people',
      parameters: { name: 'people', type: 'http://xmlns.com/foaf/0.1/Person' },
      body: { type: 'text/plain', text: PROGRAM },
      status: 201,
    },
    {
      name: 'json',
      summary: 'The same as JSON',
      parameters: { name: 'people' },
      body: {
        type: 'application/json',
        text: JSON.stringify({ program: PROGRAM, starts: { type: 'http://xmlns.com/foaf/0.1/Person' } }),
      },
      status: 200,
    },
    {
      name: 'badSyntax',
      summary: 'A program that does not parse',
      parameters: { name: 'people' },
      body: { type: 'text/plain', text: 'friends = foaf:knows / ;' },
      status: 400,
    },
  ],
};

export const removeProgram: Operation = {
  ...named,
  summary: 'Delete a stored program',
  parameters: [name, ...writeConditions],
  responses: { 204: { description: 'It was deleted.' } },
  problems: ['bad-query', 'program-not-found', 'precondition-failed', ...ofStore],
  examples: [{ name: 'people', summary: 'Delete it', parameters: { name: 'people' }, status: 204 }],
};

export const evaluateStored: Operation = {
  tag,
  summary: 'Evaluate a stored program',
  tails: ['/{name}/results'],
  parameters: [
    name,
    required(inQuery('uri', 'The start resource: an absolute IRI, or a blank node as `_:<id>`.')),
    ...formatParameters,
    ...(evaluateProgram.parameters?.filter(({ in: place }) => place === 'header') ?? []),
  ],
  responses: evaluateProgram.responses,
  problems: [
    'bad-query',
    ...ofEvaluation,
    'bad-arguments',
    'not-found',
    'program-not-found',
    'precondition-failed',
  ],
  examples: [
    {
      name: 'people',
      summary: 'Friends of a person',
      parameters: { name: 'people', uri: ANNA },
      status: 200,
      response: {
        type: 'application/json',
        value: {
          friends: [{ type: 'literal', value: 'Sepp' }],
        },
      },
    },
  ],
};

export const readProgramChanges: Operation = {
  tag,
  summary: 'Read the results of a stored program that have changed',
  description:
    'Lines of JSON up to now, or server-sent events as they happen (http-api 7.4): a resource with its new `result` or `error`, or `deleted`.',
  tails: ['/{name}/changes'],
  parameters: [
    name,
    inQuery('since', 'A position, or `0` for the oldest from which the changes are known.'),
    inQuery('format', 'Of the results: `nodes`, `values`, `solr-documents` or `bulk-documents`.', {
      enum: ['nodes', 'values', 'solr-documents', 'bulk-documents'],
    }),
    inQuery('wait', 'Seconds to wait if nothing has changed; 60 at most.', { type: 'integer' }),
    inHeader('Last-Event-ID', 'A position, with which a client of events reconnects.'),
  ],
  responses: {
    200: {
      description: 'A line or an event for each resource whose result has changed.',
      headers: ['Vary'],
      content: textOf('application/x-ndjson', 'text/event-stream'),
    },
  },
  problems: [
    'bad-query',
    'program-not-found',
    'unknown-prefix',
    'not-acceptable',
    'position-gone',
    'overloaded',
  ],
  examples: [
    { name: 'position', summary: 'The position of now', parameters: { name: 'people' }, status: 200 },
    {
      name: 'all',
      summary: 'All changes that are known',
      parameters: { name: 'people', since: '0' },
      status: 200,
    },
  ],
};
