import type { Parameter, Schema } from './described-operation.ts';

export const iri: Schema = { type: 'string', format: 'iri' };
export const text: Schema = { type: 'string' };
/** A parameter that counts with or without a value (G-14). */
export const flag: Schema = { type: 'string', default: '' };

export function inQuery(name: string, description: string, schema: Schema = text): Parameter {
  return { name, in: 'query', description, schema };
}

export function required(parameter: Parameter): Parameter {
  return { ...parameter, required: true };
}

/** Returns a parameter that may be given several times. */
export function repeated(name: string, description: string, items: Schema = iri): Parameter {
  return { name, in: 'query', description, explode: true, schema: { type: 'array', items } };
}

export function inPath(name: string, description: string, schema: Schema = text): Parameter {
  return { name, in: 'path', description, required: true, schema };
}

export function inHeader(name: string, description: string): Parameter {
  return { name, in: 'header', description, schema: text };
}

export const uuid = inPath(
  'uuid',
  'The rest of the path as sent. It may contain slashes and other reserved characters.',
);

export const format = inQuery(
  'format',
  'A media type or a short name of a format. It replaces `Accept` (G-53).',
);

/** The prefixes of one request (P-3). */
export const namespaces: Parameter = {
  name: 'namespaces',
  in: 'query',
  description: 'Prefixes for this request: a parameter `ns_<prefix>` for each.',
  explode: true,
  schema: { type: 'object', propertyNames: { pattern: '^ns_' }, additionalProperties: iri },
};

/** Conditions of a read (G-74). */
export const readConditions: readonly Parameter[] = [
  inHeader('If-None-Match', 'Send the representation only if it has none of these tags.'),
  inHeader('If-Modified-Since', 'Send the representation only if it changed after this date.'),
  inHeader('If-Match', 'Respond with 412 unless the state has one of these tags.'),
  inHeader('If-Unmodified-Since', 'Respond with 412 if it changed after this date.'),
];

/** The commit that a request waits for (G-151). */
export const commitParameters: readonly Parameter[] = [
  inHeader('Pathpool-Commit', 'Wait until the data contain this commit, of the response to a write.'),
  inQuery('commit', 'The same as a parameter. For a graph that is read, a plain number is a state (C-40).'),
];

/** Conditions of a write (G-75 to G-77). */
export const writeConditions: readonly Parameter[] = [
  inHeader('If-Match', 'Write only if the state has one of these tags; `*`: if it exists.'),
  inHeader('If-None-Match', 'Write only if the state has none of these tags; `*`: only create.'),
  inHeader('If-Unmodified-Since', 'Write only if it has not changed after this date.'),
];
