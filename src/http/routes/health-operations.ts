import { json } from '../description/bodies.ts';
import type { Operation } from '../description/described-operation.ts';

export const readLiveness: Operation = {
  tag: 'Server',
  summary: 'Show that the server is running',
  responses: {
    200: {
      description: 'It answers requests.',
      content: json({
        title: 'Liveness',
        type: 'object',
        required: ['status', 'damaged'],
        properties: {
          status: { const: 'live' },
          damaged: {
            type: 'object',
            description: 'Content files that were found damaged.',
            required: ['count', 'digests'],
            properties: {
              count: { type: 'integer' },
              digests: { type: 'array', items: { type: 'string' } },
            },
          },
        },
      }),
    },
  },
  problems: ['bad-query', 'not-acceptable'],
  examples: [
    {
      name: 'live',
      summary: 'Nothing is damaged',
      status: 200,
      response: { type: 'application/json', value: { status: 'live', damaged: { count: 0, digests: [] } } },
    },
  ],
};
