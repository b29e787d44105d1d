import { json } from '../../../description/bodies.ts';
import type { Operation, Schema } from '../../../description/described-operation.ts';
import { ofText } from '../../../description/problem-groups.ts';
import { inQuery, namespaces, text } from '../../../description/shared-parameters.ts';

const place: Readonly<Record<string, Schema>> = {
  line: { type: 'integer', minimum: 1 },
  column: { type: 'integer', minimum: 1, description: 'In code points.' },
  offset: { type: 'integer', minimum: 0, description: 'In UTF-16 code units.' },
  length: { type: 'integer', minimum: 0, description: 'In UTF-16 code units.' },
};

const finding: Schema = {
  title: 'Finding',
  type: 'object',
  required: ['code', 'detail', 'line', 'column', 'offset'],
  properties: { code: text, detail: text, ...place },
};

const check: Schema = {
  title: 'Check',
  type: 'object',
  required: ['errors', 'warnings', 'fields', 'filter', 'boost'],
  properties: {
    errors: { type: 'array', maxItems: 1, items: finding },
    warnings: { type: 'array', items: finding },
    fields: {
      type: 'array',
      items: {
        type: 'object',
        required: ['name', 'line', 'column', 'offset', 'length'],
        properties: { name: text, ...place },
      },
    },
    filter: { type: 'boolean', description: 'Whether the program has `@filter`.' },
    boost: { type: 'boolean', description: 'Whether the program has `@boost`.' },
  },
};

export const checkText: Operation = {
  tag: 'LDPath',
  summary: 'Check a program or a path',
  description: 'The errors of the text are in the response, whose status is 200 (http-api 4.14).',
  parameters: [
    inQuery('kind', 'What the body is.', { enum: ['program', 'path'], default: 'program' }),
    namespaces,
  ],
  body: { description: 'The program or path.', content: { 'text/plain': text, '*/*': {} } },
  responses: { 200: { description: 'What the compiler says.', content: json(check) } },
  problems: ['bad-query', 'bad-iri', 'not-acceptable', 'quarantined', 'time-limit', ...ofText],
  examples: [
    {
      name: 'good',
      summary: 'A program without errors',
      body: { type: 'text/plain', text: 'name = foaf:name ;' },
      status: 200,
      response: {
        type: 'application/json',
        value: {
          errors: [],
          warnings: [],
          fields: [{ name: 'name', line: 1, column: 1, offset: 0, length: 18 }],
          filter: false,
          boost: false,
        },
      },
    },
    {
      name: 'unfinished',
      summary: 'An unfinished path',
      parameters: { kind: 'path' },
      body: { type: 'text/plain', text: 'foaf:knows /' },
      status: 200,
    },
    {
      name: 'badKind',
      summary: 'An unknown kind',
      parameters: { kind: 'query' },
      body: { type: 'text/plain', text: '.' },
      status: 400,
    },
  ],
};
