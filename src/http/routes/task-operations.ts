import { json, textOf } from '../description/bodies.ts';
import type { Operation, Schema } from '../description/described-operation.ts';
import { flag, inHeader, inPath, inQuery } from '../description/shared-parameters.ts';

const tag = 'Tasks';
const textOrNull: Schema = { type: ['string', 'null'] };
const integer: Schema = { type: 'integer' };

const task: Schema = {
  title: 'Task',
  type: 'object',
  required: ['id', 'name', 'group', 'state', 'thread', 'message', 'progress', 'totalSteps', 'started'],
  properties: {
    id: { type: 'string' },
    name: { type: 'string', description: 'Unique in its group.' },
    group: { type: 'string' },
    state: { enum: ['queued', 'running', 'ended'] },
    thread: textOrNull,
    message: textOrNull,
    progress: integer,
    totalSteps: { ...integer, description: '0 if unknown.' },
    unit: { enum: ['bytes', 'triples', 'steps', 'resources', null] },
    started: { ...integer, description: 'Milliseconds since 1970.' },
    lastUpdate: { ...integer, description: 'Milliseconds since 1970.' },
    elapsed: { ...integer, description: 'Milliseconds since `started`.' },
    eta: { type: ['integer', 'null'], description: 'Milliseconds since 1970.' },
    request: textOrNull,
    client: textOrNull,
    user: textOrNull,
    detailMessages: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const lists: Schema = {
  title: 'TaskLists',
  type: 'object',
  additionalProperties: { type: 'array', items: task },
};

const group = inPath('group', 'The group, such as `LDPath`.');
const name = inPath('name', 'The name of the task.');
const queued = inQuery('queued', 'Lists waiting tasks too.', flag);
const noTask = {
  name: 'missing',
  summary: 'No such task',
  parameters: { group: 'LDPath', name: 'none' },
  status: 404,
} as const;

export const listTasks: Operation = {
  tag,
  summary: 'List all tasks',
  parameters: [queued],
  responses: { 200: { description: 'Tasks by group.', content: json(lists) } },
  problems: ['bad-query', 'not-acceptable'],
  examples: [{ name: 'waiting', summary: 'With waiting tasks', parameters: { queued: 'true' }, status: 200 }],
};

export const listTasksOfGroup: Operation = {
  ...listTasks,
  summary: 'List the tasks of a group',
  tails: ['/{group}'],
  parameters: [group, queued],
  problems: [...listTasks.problems, 'bad-path'],
  examples: [
    {
      name: 'idle',
      summary: 'A group without tasks',
      parameters: { group: 'none' },
      status: 200,
      response: { type: 'application/json', value: {} },
    },
  ],
};

export const listTasksByThread: Operation = {
  ...listTasks,
  summary: 'List the tasks of each thread',
  parameters: [],
  responses: { 200: { description: 'Running tasks by thread.', content: json(lists) } },
  examples: [{ name: 'threads', summary: 'All threads', status: 200 }],
};

export const followTasks: Operation = {
  tag,
  summary: 'Follow live tasks and threads',
  description:
    'Server-sent events: `state` with everything, then `change` with what differs, at most four times a second (http-api 6.10).',
  parameters: [inHeader('Accept', 'It must allow `text/event-stream`.')],
  responses: {
    200: { description: 'Events.', headers: ['Vary'], content: textOf('text/event-stream') },
  },
  problems: ['bad-query', 'not-acceptable'],
  examples: [
    {
      name: 'other',
      summary: 'A client that wants no events',
      parameters: { Accept: 'application/json' },
      status: 406,
    },
  ],
};

export const readTask: Operation = {
  tag,
  summary: 'Show a task',
  tails: ['/{group}/{name}'],
  parameters: [group, name],
  responses: { 200: { description: 'The task.', content: json(task) } },
  problems: [...listTasks.problems, 'bad-path', 'task-not-found'],
  examples: [noTask],
};

export const cancelTask: Operation = {
  tag,
  summary: 'Cancel a task',
  tails: ['/{group}/{name}'],
  parameters: [group, name, inHeader('If-Match', 'Only `*` can match.')],
  responses: { 204: { description: 'The task will be cancelled.' } },
  problems: ['bad-query', 'bad-path', 'task-not-found', 'precondition-failed', 'server-managed'],
  examples: [noTask],
};
