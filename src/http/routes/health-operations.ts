import { hindranceReasons } from '../../services/health/server-health.ts';
import { json, textOf } from '../description/bodies.ts';
import type { Operation, Schema } from '../description/described-operation.ts';
import { inQuery } from '../description/shared-parameters.ts';
import { frontNames } from '../fronts/known-fronts.ts';

const tag = 'Server';
const text: Schema = { type: 'string' };

const status: Schema = { enum: ['ready', 'not-ready'] };
const reasons: Schema = {
  type: 'array',
  items: {
    title: 'Hindrance',
    type: 'object',
    required: ['reason', 'detail'],
    properties: {
      reason: { enum: hindranceReasons },
      detail: text,
    },
  },
};

const readiness: Schema = {
  title: 'Readiness',
  type: 'object',
  required: ['status', 'reasons'],
  properties: { status, reasons },
};

const health: Schema = {
  title: 'Health',
  type: 'object',
  required: ['status', 'reasons', 'damaged', 'version', 'node', 'front', 'uptime'],
  properties: {
    status,
    reasons,
    damaged: {
      title: 'ContentDamage',
      type: 'object',
      description: 'Content files that were found damaged.',
      required: ['count', 'digests'],
      properties: { count: { type: 'integer' }, digests: { type: 'array', items: text } },
    },
    version: text,
    node: { ...text, description: 'The version of Node.js.' },
    front: { enum: frontNames, description: 'The library that serves HTTP.' },
    uptime: { type: 'integer', description: 'Seconds.' },
  },
};

export const readHealth: Operation = {
  tag,
  summary: 'Show the state of the server',
  responses: { 200: { description: 'The state.', content: json(health) } },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'state', summary: 'The state', status: 200 }],
};

export const readLiveness: Operation = {
  tag,
  open: true,
  summary: 'Show that the server is running',
  responses: {
    200: {
      description: 'It answers requests.',
      content: json({
        title: 'Liveness',
        type: 'object',
        required: ['status'],
        properties: { status: { const: 'live' } },
      }),
    },
  },
  problems: [],
  examples: [
    {
      name: 'live',
      summary: 'It is running',
      status: 200,
      response: { type: 'application/json', value: { status: 'live' } },
    },
  ],
};

export const readReadiness: Operation = {
  tag,
  open: true,
  summary: 'Show whether the server is ready',
  responses: {
    200: { description: 'It is ready.', content: json(readiness) },
    503: { description: 'It is not ready.', headers: ['Retry-After'], content: json(readiness) },
  },
  problems: [],
  examples: [
    {
      name: 'ready',
      summary: 'It is ready',
      status: 200,
      response: { type: 'application/json', value: { status: 'ready', reasons: [] } },
    },
  ],
};

export const pingServer: Operation = {
  tag,
  open: true,
  summary: 'Answer as Apache Marmotta does',
  parameters: [inQuery('echo', 'What to return instead of `pong`.')],
  responses: {
    200: {
      description: 'The echo.',
      content: {
        ...json({ title: 'Echo', type: 'object', required: ['message'], properties: { message: text } }),
        ...textOf('text/plain'),
      },
    },
  },
  problems: ['bad-query', 'not-acceptable', 'loading', 'shutting-down'],
  examples: [
    {
      name: 'echo',
      summary: 'Another text',
      parameters: { echo: 'hello' },
      status: 200,
      response: { type: 'application/json', value: { message: 'hello' } },
    },
  ],
};

export const readMetrics: Operation = {
  tag,
  summary: 'Show the metrics of the server',
  responses: {
    200: {
      description: 'The metrics.',
      content: textOf('text/plain', 'application/openmetrics-text'),
    },
  },
  problems: ['not-acceptable'],
  examples: [{ name: 'metrics', summary: 'All metrics', status: 200 }],
};
