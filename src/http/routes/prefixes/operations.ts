import { json, notModified, textOf } from '../../description/bodies.ts';
import type { Operation, Schema } from '../../description/described-operation.ts';
import { ofBody, ofStore, ofText } from '../../description/problem-groups.ts';
import {
  inPath,
  inQuery,
  iri,
  readConditions,
  required,
  text,
  writeConditions,
} from '../../description/shared-parameters.ts';
import { sources } from './read.ts';

const tag = 'Prefixes';
const EX = 'http://example.org/terms#';
const named = { tag, tails: ['/{name}'] } as const;
const name = inPath('name', 'The prefix: a `PN_PREFIX` of Turtle with at most 255 characters.');
const pairs: Schema = {
  title: 'PrefixTable',
  description: 'Namespaces by prefix.',
  type: 'object',
  additionalProperties: iri,
};
const entityTag = { ...text, description: 'The entity tag of the text.' };
const commit = { type: 'integer', description: 'Number of the commit that last changed it.' };
const position = { ...text, description: 'The commit, as `/changes` takes it.' };

const described: Schema = {
  title: 'Prefix',
  description: 'The last four members are those of a stored prefix.',
  type: 'object',
  required: ['prefix', 'namespace', 'source'],
  properties: {
    prefix: text,
    namespace: iri,
    source: { enum: sources },
    commit,
    position,
    modified: { type: 'string', format: 'date-time' },
    tag: entityTag,
  },
};

const receipt: Schema = {
  title: 'PrefixReceipt',
  type: 'object',
  required: ['commit', 'position', 'tag'],
  properties: { commit, position, tag: entityTag },
};

const sent: Schema = {
  title: 'PrefixDefinition',
  description: 'Other members are ignored.',
  type: 'object',
  required: ['namespace'],
  properties: { namespace: iri },
};

export const listPrefixes: Operation = {
  tag,
  summary: 'Read the table of prefixes',
  parameters: [
    inQuery('source', 'Only those that come from there.', { enum: sources }),
    readConditions[0]!,
    readConditions[2]!,
  ],
  responses: {
    200: { description: 'Namespaces by prefix, sorted.', headers: ['ETag'], content: json(pairs) },
    304: notModified,
  },
  problems: ['bad-query', 'not-acceptable', 'precondition-failed'],
  examples: [{ name: 'all', summary: 'All prefixes', status: 200 }],
};

export const readPrefix: Operation = {
  ...named,
  summary: 'Read a prefix',
  parameters: [name, ...readConditions],
  responses: {
    200: {
      description: 'The namespace as text, or the prefix as JSON. Only a stored one has validators.',
      headers: ['ETag', 'Last-Modified', 'Vary'],
      content: { ...textOf('text/plain'), ...json(described) },
    },
    304: notModified,
  },
  problems: ['bad-query', 'prefix-not-found', 'not-acceptable', 'precondition-failed'],
  examples: [
    {
      name: 'foaf',
      summary: 'A prefix that is built in',
      parameters: { name: 'foaf' },
      status: 200,
      response: { type: 'text/plain', value: 'http://xmlns.com/foaf/0.1/' },
    },
  ],
};

export const storePrefix: Operation = {
  ...named,
  summary: 'Store a prefix',
  description: 'It takes precedence over a prefix of the settings and a built-in one.',
  parameters: [name, ...writeConditions],
  body: { required: true, content: { ...textOf('text/plain'), ...json(sent) } },
  responses: {
    200: { description: 'It is stored, in place of the earlier namespace.', content: json(receipt) },
    201: { description: 'It is stored for the first time.', content: json(receipt) },
  },
  problems: [
    'bad-query',
    'bad-path',
    'bad-iri',
    'empty-body',
    'missing-parameter',
    'precondition-failed',
    ...ofText,
    ...ofStore,
  ],
  examples: [
    {
      name: 'text',
      summary: 'The namespace as text',
      parameters: { name: 'ex' },
      body: { type: 'text/plain', text: EX },
      status: 201,
    },
    {
      name: 'json',
      summary: 'The same as JSON',
      parameters: { name: 'ex' },
      body: { type: 'application/json', text: JSON.stringify({ namespace: EX }) },
      status: 200,
    },
  ],
};

export const removePrefix: Operation = {
  ...named,
  summary: 'Delete a stored prefix',
  parameters: [name, ...writeConditions],
  responses: { 204: { description: 'It was deleted.' } },
  problems: ['bad-query', 'prefix-not-found', 'precondition-failed', ...ofStore],
  examples: [{ name: 'ex', summary: 'Delete it', parameters: { name: 'ex' }, status: 204 }],
};

const marmotta = { description: 'As Apache Marmotta has it.' } as const;

export const listAsMarmotta: Operation = {
  tag,
  ...marmotta,
  summary: 'Read the table of prefixes (Marmotta)',
  responses: { 200: { description: 'Namespaces by prefix.', content: json(pairs) } },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'all', summary: 'All prefixes', status: 200 }],
};

export const readAsMarmotta: Operation = {
  ...named,
  ...marmotta,
  summary: 'Find the namespace of a prefix, or with `reverse` the prefix of a namespace (Marmotta)',
  parameters: [name, inQuery('uri', 'For `reverse`: the namespace.', iri)],
  responses: { 200: { description: 'An object with one member.', content: json(pairs) } },
  problems: ['bad-query', 'missing-parameter', 'prefix-not-found', 'not-acceptable'],
  examples: [
    {
      name: 'foaf',
      summary: 'A namespace',
      parameters: { name: 'foaf' },
      status: 200,
      response: { type: 'application/json', value: { foaf: 'http://xmlns.com/foaf/0.1/' } },
    },
    {
      name: 'reverse',
      summary: 'A prefix',
      parameters: { name: 'reverse', uri: 'http://xmlns.com/foaf/0.1/' },
      status: 200,
    },
  ],
};

export const addAsMarmotta: Operation = {
  ...named,
  ...marmotta,
  summary: 'Store a prefix that the server does not know yet (Marmotta)',
  parameters: [name, required(inQuery('uri', 'The namespace.', iri))],
  responses: { 201: { description: 'It is stored.' } },
  problems: ['bad-query', 'bad-path', 'bad-iri', 'missing-parameter', 'prefix-exists', ...ofBody, ...ofStore],
  examples: [
    { name: 'terms', summary: 'Store it', parameters: { name: 'terms', uri: EX }, status: 201 },
    { name: 'again', summary: 'It is known now', parameters: { name: 'terms', uri: EX }, status: 409 },
  ],
};

export const removeAsMarmotta: Operation = {
  ...named,
  ...marmotta,
  summary: 'Delete a stored prefix (Marmotta)',
  parameters: [name, ...writeConditions],
  responses: { 200: { description: 'It was deleted.', content: textOf('text/plain') } },
  problems: ['bad-query', 'prefix-not-found', 'precondition-failed', ...ofStore],
  examples: [{ name: 'terms', summary: 'Delete it', parameters: { name: 'terms' }, status: 200 }],
};
