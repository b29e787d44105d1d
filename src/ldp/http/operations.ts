import { anyBytes, line, notModified, rdfInput, rdfOutput, textOf } from '../../http/description/bodies.ts';
import type { ExampleRequest, Operation } from '../../http/description/described-operation.ts';
import { ofRdf, ofSerialising, ofStore } from '../../http/description/problem-groups.ts';
import {
  inHeader,
  inPath,
  readConditions,
  writeConditions,
} from '../../http/description/shared-parameters.ts';
import { withWatch } from '../../http/routes/changes/operations.ts';
import { rangeParameters } from '../../http/routes/content/operations.ts';
import type { RouteMethod } from '../../http/server/router.ts';
import { patchTypes } from './headers.ts';

const tag = 'Linked Data Platform';
const CONTAINER = '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"';
const note = { type: 'text/turtle', text: '<> <http://purl.org/dc/terms/title> "A note" .' };
const patch = {
  type: 'application/sparql-update',
  text: 'INSERT DATA { <> <http://purl.org/dc/terms/subject> "notes" }',
};
const path = inPath('path', 'The path of the resource below the root container.');
const slug = inHeader('Slug', 'A proposal for the name of the new resource (L-31).');
const link = inHeader('Link', 'The interaction model, with `rel="type"` (http-api 5.8).');

const document = { content: { ...rdfInput({ json: 'jsonld' }), ...anyBytes } };
const moved: Operation['responses'] = {
  308: { description: 'The path ends in a slash (L-3).', headers: ['Location'], content: line },
};
const common = {
  tag,
  tails: ['', '/{path}'],
  problems: ['bad-path', 'resource-not-found', 'gone'],
} as const;
const ofWrites = [...common.problems, 'precondition-failed', ...ofStore] as const;
const ofCreation = [
  ...ofWrites,
  'bad-interaction-model',
  'constraint-violation',
  'type-conflict',
  'empty-body',
  ...ofRdf,
] as const;

/** Returns an example for a resource below the root container. */
function at(target: string, example: ExampleRequest): ExampleRequest {
  return { ...example, parameters: { path: target, ...example.parameters } };
}

/** The paths of LDP resources. The root container has no `{path}`. */
export const ldpOperations = {
  GET: withWatch({
    ...common,
    summary: 'Read a resource',
    description: 'RDF in the accepted format, or the bytes of a binary (http-api 5.4).',
    parameters: [
      path,
      inHeader('Prefer', 'The parts of a container to include or omit (http-api 5.5).'),
      ...rangeParameters,
      ...readConditions,
    ],
    responses: {
      200: {
        description: 'The representation.',
        headers: [
          'ETag',
          'Last-Modified',
          'Vary',
          'Link',
          'Allow',
          'Accept-Post',
          'Accept-Patch',
          'Accept-Ranges',
          'Content-Location',
          'Preference-Applied',
        ],
        content: { ...rdfOutput({ json: 'jsonld' }), ...anyBytes },
      },
      206: { description: 'A range of a binary.', headers: ['Content-Range', 'ETag'], content: anyBytes },
      301: { description: 'The path ends in a slash (L-3).', headers: ['Location'], content: line },
      304: { ...notModified, headers: [...(notModified.headers ?? []), 'Link'] },
    },
    problems: [
      ...common.problems,
      'not-acceptable',
      'precondition-failed',
      'bad-range',
      'data-damaged',
      'unavailable',
      ...ofSerialising,
    ],
    examples: [
      { name: 'root', summary: 'Read the root container', status: 200 },
      at('notes', { name: 'container', summary: 'Read a container', status: 200 }),
      at('none', { name: 'missing', summary: 'A resource that does not exist', status: 404 }),
    ],
  }),
  POST: {
    ...common,
    summary: 'Create a resource in a container',
    parameters: [path, slug, link, ...writeConditions],
    body: document,
    responses: { ...moved, 201: { description: 'It was created.', headers: ['Location', 'Link'] } },
    problems: [...ofCreation, 'method-not-allowed'],
    examples: [
      {
        name: 'note',
        summary: 'Create an RDF source',
        parameters: { Slug: 'note' },
        body: note,
        status: 201,
      },
      at('notes', {
        name: 'child',
        summary: 'Create an RDF source in another container',
        body: note,
        status: 201,
      }),
    ],
  },
  PUT: {
    ...common,
    summary: 'Replace a resource, or create it',
    description: 'Replacing needs `If-Match` or `If-Unmodified-Since`, unless the server is set otherwise.',
    parameters: [path, link, ...writeConditions],
    body: document,
    responses: {
      ...moved,
      200: { description: 'It was replaced.', headers: ['ETag', 'Link'], content: line },
      201: { description: 'It was created.', headers: ['Location', 'ETag', 'Link'] },
    },
    problems: [
      ...ofCreation,
      'method-not-allowed',
      'precondition-required',
      'parent-not-container',
      'parent-gone',
      'reserved-name',
    ],
    examples: [
      at('notes', {
        name: 'container',
        summary: 'Create a container',
        parameters: { Link: CONTAINER },
        body: note,
        status: 201,
      }),
      at('notes/first', {
        name: 'source',
        summary: 'Create an RDF source',
        body: note,
        status: 201,
      }),
      { name: 'unconditional', summary: 'Replace without a condition', body: note, status: 428 },
    ],
  },
  PATCH: {
    ...common,
    summary: 'Change an RDF source',
    parameters: [path, ...writeConditions],
    body: { required: true, content: textOf(...patchTypes) },
    responses: { ...moved, 204: { description: 'The patch was applied.', headers: ['ETag', 'Link'] } },
    problems: [
      ...ofWrites,
      'method-not-allowed',
      'constraint-violation',
      'type-conflict',
      'unsupported-patch',
      ...ofRdf,
    ],
    examples: [
      { name: 'root', summary: 'Add a triple to the root container', body: patch, status: 204 },
      at('notes/first', { name: 'add', summary: 'Add a triple', body: patch, status: 204 }),
    ],
  },
  DELETE: {
    ...common,
    summary: 'Delete a resource',
    parameters: [path, ...writeConditions],
    responses: { ...moved, 204: { description: 'It was deleted.', headers: ['Link'] } },
    problems: [...ofWrites, 'method-not-allowed', 'container-not-empty'],
    examples: [
      { name: 'root', summary: 'The root container', status: 405 },
      at('notes', { name: 'full', summary: 'A container that is not empty', status: 409 }),
      at('notes/first', { name: 'remove', summary: 'Delete an RDF source', status: 204 }),
    ],
  },
  OPTIONS: {
    ...common,
    summary: 'Read what a resource supports',
    parameters: [path],
    responses: {
      ...moved,
      200: {
        description: 'The resource exists.',
        headers: ['Allow', 'Link', 'Accept-Post', 'Accept-Patch'],
      },
      204: { description: 'The response to a preflight.', headers: ['Allow'] },
    },
  },
} as const satisfies Record<RouteMethod | 'OPTIONS', Operation>;

export const readConstraintsOperation: Operation = {
  tag,
  summary: 'Read the constraints of the server',
  responses: {
    200: {
      description: 'The constraints (http-api 5.12).',
      headers: ['Vary'],
      content: textOf('text/html', 'text/plain'),
    },
  },
  problems: ['bad-query'],
  examples: [{ name: 'page', summary: 'The constraints', status: 200 }],
};
