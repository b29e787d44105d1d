import { anyBytes, line, notModified } from '../../description/bodies.ts';
import type { Operation } from '../../description/described-operation.ts';
import { ofBody, ofStore } from '../../description/problem-groups.ts';
import { inHeader, readConditions, writeConditions } from '../../description/shared-parameters.ts';
import { notAvailable, ofAddress } from '../resources/operations.ts';

const tag = 'Resources';
const ANNA = 'http://example.org/anna';
const plain = { type: 'text', subtype: 'plain' } as const;
const local = { name: 'local', summary: 'The resource `{base}/resource/kit`' } as const;

/** Bytes or a range of them. */
export const rangeParameters = [
  inHeader('Range', 'One range of bytes, such as `bytes=0-99`.'),
  inHeader('If-Range', 'Send the range only if this tag or date is current.'),
] as const;

/** `/content`. The parameters that name the resource depend on the path. */
export const contentOperations = {
  read: {
    tag,
    summary: 'Read the content of a resource',
    parameters: [...rangeParameters, ...readConditions],
    responses: {
      200: {
        description: 'The bytes as they were stored.',
        headers: ['ETag', 'Last-Modified', 'Accept-Ranges', 'Repr-Digest', 'Link'],
        content: anyBytes,
      },
      206: { description: 'The range.', headers: ['Content-Range', 'ETag'], content: anyBytes },
      304: notModified,
      406: notAvailable,
    },
    problems: [
      ...ofAddress,
      'content-not-found',
      'precondition-failed',
      'bad-range',
      'data-damaged',
      'unavailable',
    ],
    examples: [
      { name: 'bytes', summary: 'All bytes', parameters: { ...plain, uri: ANNA }, status: 200 },
      { ...local, parameters: { ...plain, uuid: 'kit' }, status: 200 },
      {
        name: 'range',
        summary: 'Two bytes',
        parameters: { ...plain, uri: ANNA, Range: 'bytes=0-1' },
        status: 206,
      },
    ],
  },
  put: {
    tag,
    summary: 'Store the content of a resource',
    parameters: writeConditions,
    body: { required: true, content: anyBytes },
    responses: {
      200: { description: 'The content was replaced.', headers: ['ETag'], content: line },
      201: { description: 'It is the first content of the resource.', headers: ['ETag'], content: line },
    },
    problems: [
      ...ofAddress,
      'empty-body',
      'resource-not-found',
      'unsupported-media-type',
      'ldp-managed',
      'server-managed',
      'precondition-failed',
      ...ofBody,
      ...ofStore,
    ],
    examples: [
      {
        name: 'store',
        summary: 'Store a text',
        parameters: { ...plain, uri: ANNA },
        body: { type: 'text/plain', text: 'Grüß Gott' },
        status: 201,
      },
      {
        ...local,
        parameters: { ...plain, uuid: 'kit' },
        body: { type: 'text/plain', text: 'Meow' },
        status: 201,
      },
    ],
  },
  redirect: {
    tag,
    summary: 'Find the content of a resource',
    responses: {
      303: { description: 'It is at `Location`.', headers: ['Location', 'Vary'], content: line },
    },
    problems: [...ofAddress, 'content-not-found'],
    examples: [
      { name: 'find', summary: 'Find it', parameters: { uri: ANNA }, status: 303 },
      { ...local, parameters: { uuid: 'kit' }, status: 303 },
    ],
  },
  remove: {
    tag,
    summary: 'Delete the content of a resource',
    parameters: writeConditions,
    responses: { 200: { description: 'It was deleted.', content: line } },
    problems: [
      ...ofAddress,
      'method-not-allowed',
      'resource-not-found',
      'content-not-found',
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
