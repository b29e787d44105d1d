import { json, textOf } from '../../description/bodies.ts';
import type { Operation } from '../../description/described-operation.ts';
import { inHeader, inPath } from '../../description/shared-parameters.ts';

const tag = 'Server';
const parameters = [
  inHeader('If-None-Match', 'The tag of the text that the client has.'),
  inHeader('If-Match', 'Respond with 412 unless the text has one of these tags.'),
] as const;
const notModified = { description: 'The client has the current text.', headers: ['ETag'] } as const;
const problems = ['bad-query', 'precondition-failed'] as const;

export const readDocument: Operation = {
  tag,
  summary: 'Read this document',
  parameters,
  responses: {
    200: {
      description: 'The interface in OpenAPI 3.1.',
      headers: ['ETag'],
      content: json({ title: 'OpenApiDocument', type: 'object', required: ['openapi', 'info', 'paths'] }),
    },
    304: notModified,
  },
  problems: [...problems, 'not-acceptable'],
  examples: [{ name: 'document', summary: 'The document', status: 200 }],
};

export const readPage: Operation = {
  tag,
  summary: 'Browse this document',
  parameters,
  responses: {
    200: { description: 'A page.', headers: ['ETag'], content: textOf('text/html') },
    304: notModified,
  },
  problems,
  examples: [{ name: 'page', summary: 'The page', status: 200 }],
};

export const readViewerFile: Operation = {
  tag,
  summary: 'Read a script or style of the page',
  tails: ['/{file}'],
  parameters: [inPath('file', 'The name of the file.'), ...parameters],
  responses: {
    200: { description: 'The file.', headers: ['ETag'], content: textOf('text/javascript', 'text/css') },
    304: notModified,
  },
  problems: [...problems, 'not-found'],
  examples: [
    {
      name: 'start',
      summary: 'The script that starts the viewer',
      parameters: { file: 'start.js' },
      status: 200,
    },
    { name: 'missing', summary: 'No such file', parameters: { file: 'none' }, status: 404 },
  ],
};
