import { json, line, notModified, rdfInput, rdfOutput } from '../../description/bodies.ts';
import type { Operation, Schema } from '../../description/described-operation.ts';
import { ofRdf, ofSerialising, ofStore } from '../../description/problem-groups.ts';
import { iri, readConditions, writeConditions } from '../../description/shared-parameters.ts';
import { notAvailable, ofAddress } from '../resources/operations.ts';

const tag = 'Resources';
const ANNA = 'http://example.org/anna';
const turtle = { type: 'text', subtype: 'turtle' } as const;
const local = { name: 'local', summary: 'The resource `{base}/resource/kit`' } as const;

const replaced: Schema = {
  title: 'ReplacedDescription',
  type: 'object',
  required: ['uri', 'added', 'removed', 'ignored'],
  properties: {
    uri: iri,
    added: { type: 'integer' },
    removed: { type: 'integer' },
    ignored: { type: 'integer', description: 'Triples of the body that are not about the resource.' },
  },
};

/** `/meta`. The parameters that name the resource depend on the path. */
export const descriptionOperations = {
  read: {
    tag,
    summary: 'Read the description of a resource',
    parameters: readConditions,
    responses: {
      200: {
        description: 'The triples about the resource (R-50).',
        headers: ['ETag', 'Last-Modified', 'Vary', 'Link', 'Content-Disposition'],
        content: rdfOutput({ json: 'rdfjson' }),
      },
      304: notModified,
      406: notAvailable,
    },
    problems: [...ofAddress, 'resource-not-found', 'precondition-failed', ...ofSerialising],
    examples: [
      { name: 'turtle', summary: 'As Turtle', parameters: { ...turtle, uri: ANNA }, status: 200 },
      { ...local, parameters: { ...turtle, uuid: 'kit' }, status: 200 },
      {
        name: 'unknownType',
        summary: 'A type that is not RDF',
        parameters: { type: 'image', subtype: 'png', uri: ANNA },
        status: 406,
      },
    ],
  },
  replace: {
    tag,
    summary: 'Replace the description of a resource',
    parameters: writeConditions,
    body: { required: true, content: rdfInput({ json: 'rdfjson' }) },
    responses: {
      200: { description: 'The description was replaced.', content: json(replaced) },
      201: { description: 'The resource was created.', headers: ['Location'], content: json(replaced) },
    },
    problems: [
      ...ofAddress,
      'empty-body',
      'graph-not-found',
      'ldp-managed',
      'server-managed',
      'precondition-failed',
      ...ofStore,
      ...ofRdf,
    ],
    examples: [
      {
        name: 'rename',
        summary: 'Another name for a person',
        parameters: { ...turtle, uri: ANNA },
        body: {
          type: 'text/turtle',
          text: '<http://example.org/anna> <http://xmlns.com/foaf/0.1/name> "Anna Lena" ; <http://xmlns.com/foaf/0.1/knows> <http://example.org/sepp> .',
        },
        status: 200,
        response: {
          type: 'application/json',
          value: { uri: ANNA, added: 1, removed: 1, ignored: 0 },
        },
      },
      {
        ...local,
        parameters: { ...turtle, uuid: 'kit' },
        body: { type: 'text/turtle', text: '<> a <http://example.org/Cat> .' },
        status: 201,
      },
    ],
  },
  remove: {
    tag,
    summary: 'Delete the description of a resource',
    parameters: writeConditions,
    responses: { 200: { description: 'It was deleted.', content: line } },
    problems: [
      ...ofAddress,
      'method-not-allowed',
      'resource-not-found',
      'ldp-managed',
      'server-managed',
      'precondition-failed',
      ...ofStore,
    ],
    examples: [
      { name: 'remove', summary: 'Delete it', parameters: { uri: ANNA }, status: 200 },
      { ...local, parameters: { uuid: 'kit' }, status: 200 },
    ],
  },
} as const satisfies Record<string, Operation>;
