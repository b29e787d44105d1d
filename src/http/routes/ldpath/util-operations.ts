import { json } from '../../description/bodies.ts';
import type { Operation, Parameter, Schema } from '../../description/described-operation.ts';
import { inQuery, namespaces, repeated } from '../../description/shared-parameters.ts';

const text: Schema = { type: 'string' };
const prefixes: Schema = { title: 'Prefixes', type: 'object', additionalProperties: text };
const texts: Schema = { type: 'array', items: text };
const path = inQuery('path', 'An unfinished path.');

const base = { tag: 'LDPath', problems: ['bad-query', 'bad-iri', 'not-acceptable'] } as const;

function returning(
  schema: Schema,
  description: string,
  ...parameters: readonly Parameter[]
): Pick<Operation, 'parameters' | 'responses'> {
  return {
    parameters: [...parameters, namespaces],
    responses: { 200: { description, content: json(schema) } },
  };
}

export const listNamespaces: Operation = {
  ...base,
  summary: 'List the prefixes',
  ...returning(prefixes, 'Namespaces by prefix.'),
  examples: [{ name: 'all', summary: 'All prefixes', status: 200 }],
};

export const readPrefix: Operation = {
  ...base,
  summary: 'Find the namespace of a prefix',
  ...returning(prefixes, 'The prefix with its namespace, or nothing.', inQuery('prefix', 'The prefix.')),
  examples: [
    {
      name: 'foaf',
      summary: 'A known prefix',
      parameters: { prefix: 'foaf' },
      status: 200,
      response: { type: 'application/json', value: { foaf: 'http://xmlns.com/foaf/0.1/' } },
    },
  ],
};

export const completeText: Operation = {
  ...base,
  summary: 'Complete what is typed in an editor',
  ...returning(
    texts,
    'Continuations.',
    inQuery('uri', 'The beginning of a URI.'),
    inQuery('prefix', 'The beginning of a prefix, prefixed name or function.'),
    inQuery('mode', 'What may follow.', { enum: ['path', 'transformer'], default: 'path' }),
  ),
  problems: [...base.problems, 'cancelled', 'time-limit'],
  examples: [{ name: 'prefix', summary: 'A prefix', parameters: { prefix: 'fo' }, status: 200 }],
};

export const continuePath: Operation = {
  ...base,
  summary: 'Find the predicates that can continue a path',
  ...returning(texts, 'Predicates.', path, repeated('ctx', 'A start resource; also `ctx[]`.', text)),
  problems: [...base.problems, 'too-large', 'quarantined', 'cancelled', 'time-limit', 'budget-exceeded'],
  examples: [
    {
      name: 'friends',
      summary: 'What is known about friends',
      parameters: { path: 'foaf:knows /', ctx: 'http://example.org/anna' },
      status: 200,
      response: { type: 'application/json', value: ['http://xmlns.com/foaf/0.1/name'] },
    },
  ],
};
