import { textOf } from '../../description/bodies.ts';
import type { Operation } from '../../description/described-operation.ts';
import { flag, inHeader, inQuery, iri } from '../../description/shared-parameters.ts';

const position = inHeader('Last-Event-ID', 'A position, with which a client of events reconnects.');

/** Returns a read that can also be a stream of changes of what it reads (http-api 7.3). */
export function withWatch(read: Operation): Operation {
  const events = textOf('text/event-stream');
  const { description = 'The changes, with `watch`.', headers = [], content } = read.responses[200] ?? {};
  return {
    ...read,
    parameters: [
      ...(read.parameters ?? []),
      inQuery('watch', 'Sends the changes of it as server-sent events.', flag),
      position,
    ],
    responses: { ...read.responses, 200: { description, headers, content: { ...content, ...events } } },
    problems: [...new Set([...read.problems, 'not-acceptable' as const, 'position-gone' as const])],
  };
}

export const readChanges: Operation = {
  tag: 'Changes',
  summary: 'Read the commits after a position',
  description: 'Lines of JSON up to now, or server-sent events as they happen (http-api 7.1 and 7.2).',
  parameters: [
    inQuery('since', 'A position, or `0` for the oldest that is kept.'),
    inQuery('rows', 'Adds the changed triples, as RDF Patch.', flag),
    inQuery('graph', 'Only changes of this graph.', iri),
    inQuery('limit', 'The number of commits after which the response ends.', { type: 'integer' }),
    inQuery('wait', 'Seconds to wait if there is nothing new; 60 at most.', { type: 'integer' }),
    position,
  ],
  responses: {
    200: {
      description: 'A line or an event for each commit.',
      headers: ['Vary'],
      content: textOf('application/x-ndjson', 'text/event-stream'),
    },
  },
  problems: ['bad-query', 'bad-iri', 'not-acceptable', 'position-gone'],
  examples: [
    { name: 'position', summary: 'The position of now', status: 200 },
    { name: 'all', summary: 'Everything that is kept', parameters: { since: '0', rows: '' }, status: 200 },
    {
      name: 'other',
      summary: 'A position of another data set',
      parameters: { since: 'abcdefgh.1' },
      status: 410,
    },
  ],
};
