import { textOf } from '../../description/bodies.ts';
import type { Operation } from '../../description/described-operation.ts';
import { inHeader, inPath } from '../../description/shared-parameters.ts';

const tag = 'Server';
const parameters = [
  inHeader('If-None-Match', 'The tag of the text that the client has.'),
  inHeader('If-Match', 'Respond with 412 unless the text has one of these tags.'),
] as const;
const notModified = { description: 'The client has the current text.', headers: ['ETag'] } as const;
const toConsole = { description: 'The console is at `Location`.', headers: ['Location'] } as const;
const page = { description: 'The page.', headers: ['ETag', 'Vary'], content: textOf('text/html') } as const;
const problems = ['bad-query', 'precondition-failed', 'not-found'] as const;

export const openConsole: Operation = {
  tag,
  unguarded: true,
  summary: 'Open the console in a browser',
  responses: { 303: toConsole },
  problems: ['bad-query', 'not-found'],
  examples: [{ name: 'root', summary: 'What a browser asks for first', status: 303 }],
};

export const readConsole: Operation = {
  tag,
  unguarded: true,
  summary: 'Read the console, pages for browsers',
  parameters,
  responses: { 200: page, 303: toConsole, 304: notModified },
  problems,
  examples: [{ name: 'first', summary: 'Without the slash at the end', status: 303 }],
};

export const readConsolePage: Operation = {
  tag,
  unguarded: true,
  summary: 'Read one page of the console',
  tails: ['/{page}'],
  parameters: [inPath('page', 'The name of the page.'), ...parameters],
  responses: { 200: page, 304: notModified },
  problems,
  examples: [{ name: 'tasks', summary: 'The live tasks', parameters: { page: 'tasks' }, status: 200 }],
};

export const readConsoleFile: Operation = {
  tag,
  unguarded: true,
  summary: 'Read a script or style of the console',
  tails: ['/{file}'],
  parameters: [inPath('file', 'The name of the file.'), ...parameters],
  responses: {
    200: {
      description: 'The file.',
      headers: ['ETag', 'Vary'],
      content: textOf('text/javascript', 'text/css', 'text/plain'),
    },
    304: notModified,
  },
  problems,
  examples: [{ name: 'missing', summary: 'No such file', parameters: { file: 'none.js' }, status: 404 }],
};
