import { anyBytes, line, rdfInput } from '../../description/bodies.ts';
import type { DescribedResponse, Operation, Parameter } from '../../description/described-operation.ts';
import { ofRdf, ofStore } from '../../description/problem-groups.ts';
import {
  format,
  inPath,
  inQuery,
  iri,
  required,
  uuid,
  writeConditions,
} from '../../description/shared-parameters.ts';
import type { RouteMethod } from '../../server/router.ts';
import { withWatch } from '../changes/operations.ts';

export const uri = inQuery('uri', 'The resource, an absolute IRI.', iri);
export const genid = inQuery('genid', 'The identifier of a blank node (R-2), instead of `uri`.');
export const mimeParameters: readonly Parameter[] = [
  inPath('type', 'The top-level media type, such as `text`.'),
  inPath('subtype', 'The rest of the media type, such as `turtle`.'),
];

/** The list of what is available. */
export const notAvailable: DescribedResponse = {
  description:
    'Nothing is acceptable. `Content-Type` lists all available types, and so does the body, one a line.',
  content: anyBytes,
};

/** Errors of an address. */
export const ofAddress = ['bad-query', 'bad-iri', 'bad-path', 'missing-parameter'] as const;

const tag = 'Resources';
const CAT = 'http://example.org/cat';
const ANNA = 'http://example.org/anna';
const TURTLE = 'text/turtle';
const seeOther = { headers: ['Location', 'Vary', 'Link'], content: line } as const;

type Operations = Readonly<Record<Exclude<RouteMethod, 'PATCH'> | 'OPTIONS', Operation>>;

const operations: Operations = {
  POST: {
    tag,
    summary: 'Create a resource',
    description: 'A body is ignored (R-14).',
    responses: {
      201: { description: 'It was created.', headers: ['Location'], content: line },
      302: { description: 'It exists.', headers: ['Location'], content: line },
    },
    problems: [
      ...ofAddress,
      'resource-not-found',
      'precondition-failed',
      'ldp-managed',
      'server-managed',
      ...ofStore,
    ],
  },
  GET: {
    tag,
    summary: 'Find a representation of a resource',
    description:
      'Redirects to the description or the content that the client prefers (R-20 to R-26), and browsers to a page of the console (R-27).',
    parameters: [format],
    responses: {
      303: { description: 'There is an acceptable representation, or a page, at `Location`.', ...seeOther },
      406: notAvailable,
    },
    problems: [...ofAddress, 'resource-not-found'],
  },
  PUT: {
    tag,
    summary: 'Find where to store a description or content',
    description:
      'Redirects to the address for the type in `Content-Type` and its parameter `rel`. With `--put-mode direct` it stores the body (R-30 to R-34).',
    parameters: writeConditions,
    body: { content: { ...rdfInput({ json: 'rdfjson' }), ...anyBytes } },
    responses: {
      200: { description: 'Stored, in mode `direct`.', content: { 'application/json': {}, ...line } },
      303: { description: 'Data of this type can be put at `Location`.', ...seeOther },
    },
    problems: [
      ...ofAddress,
      'empty-body',
      'resource-not-found',
      'graph-not-found',
      'ldp-managed',
      'server-managed',
      'precondition-failed',
      ...ofStore,
      ...ofRdf,
    ],
  },
  DELETE: {
    tag,
    summary: 'Delete a resource',
    description: 'Its triples, graph, content and registration (R-35).',
    parameters: writeConditions,
    responses: { 200: { description: 'It was deleted.', content: line } },
    problems: [
      ...ofAddress,
      'resource-not-found',
      'ldp-managed',
      'server-managed',
      'precondition-failed',
      ...ofStore,
    ],
  },
  OPTIONS: {
    tag,
    summary: 'Test whether a resource exists',
    description: '`Allow` is `POST` if it is missing, and has all methods if it exists (R-40).',
    responses: {
      200: { description: '`Allow` tells whether it exists.', headers: ['Allow'] },
      204: { description: 'The response to a preflight.', headers: ['Allow'] },
    },
    problems: ['bad-query', 'bad-iri', 'bad-path'],
  },
};

const { POST, PUT, DELETE, OPTIONS } = operations;
const GET = withWatch(operations.GET);

/** `/resource?uri=…` */
export const resourceOperations: Operations = {
  POST: {
    ...POST,
    description: `Without \`uri\` the server makes one. ${POST.description}`,
    parameters: [uri],
    examples: [
      {
        name: 'create',
        summary: 'Create a resource',
        parameters: { uri: CAT },
        status: 201,
        response: { type: 'text/plain', value: CAT },
      },
      { name: 'again', summary: 'It exists', parameters: { uri: CAT }, status: 302 },
    ],
  },
  GET: {
    ...GET,
    parameters: [uri, genid, ...(GET.parameters ?? [])],
    examples: [
      { name: 'turtle', summary: 'As Turtle', parameters: { uri: ANNA, format: 'turtle' }, status: 303 },
      {
        name: 'none',
        summary: 'A type that it does not have',
        parameters: { uri: ANNA, format: 'image/png' },
        status: 406,
      },
      { name: 'missing', summary: 'It does not exist', parameters: { uri: 'urn:none' }, status: 404 },
      { name: 'unnamed', summary: 'No resource is named', status: 400 },
    ],
  },
  PUT: {
    ...PUT,
    parameters: [required(uri), ...(PUT.parameters ?? [])],
    examples: [
      {
        name: 'describe',
        summary: 'Where to put a description',
        parameters: { uri: ANNA },
        body: { type: TURTLE, text: '' },
        status: 303,
      },
    ],
  },
  DELETE: {
    ...DELETE,
    parameters: [required(uri), ...(DELETE.parameters ?? [])],
    examples: [{ name: 'remove', summary: 'Delete a resource', parameters: { uri: CAT }, status: 200 }],
  },
  OPTIONS: { ...OPTIONS, parameters: [uri, genid] },
};

/** `/resource/{uuid}` */
export const localResourceOperations: Operations = {
  POST: local(POST, 201),
  GET: local(GET, 303),
  PUT: local(PUT, 404),
  DELETE: local(DELETE, 200),
  OPTIONS: local(OPTIONS),
};

/** `status`: of the example, if there is one. */
function local(operation: Operation, status?: number): Operation {
  const summary = 'The resource `{base}/resource/tom`';
  const parameters = [uuid, ...(operation.parameters ?? [])];
  const examples =
    status === undefined
      ? []
      : [
          {
            name: 'local',
            summary,
            parameters: { uuid: 'tom' },
            ...(operation.body && { body: { type: TURTLE, text: '' } }),
            status,
          },
        ];
  return { ...operation, tails: ['/{uuid}'], parameters, examples };
}
