import type { ErrorCode } from '../../errors.ts';

type Codes = readonly ErrorCode[];

/** Errors that a request can have at every path. */
export const ofEveryRequest: Codes = [
  'bad-arguments',
  'expectation-failed',
  'head-timeout',
  'head-too-large',
  'internal',
  'overloaded',
  'too-many-requests',
];

/** Errors that a request can have in addition at the paths that are not open (G-122). */
export const ofNamedHosts: Codes = ['misdirected'];

/** Errors that a request can have in addition where credentials and commits count. */
export const ofGuardedRequests: Codes = [
  'forbidden',
  'keys-unavailable',
  'unauthorized',
  ...(['bad-query', 'precondition-failed', 'unavailable'] as const),
];

/** Errors at the paths that are not served while the data load or the server shuts down. */
export const ofPausedRequests: Codes = ['loading', 'shutting-down'];

/** Errors that a request can have in addition if it may write. */
export const ofEveryWrite: Codes = ['cross-origin', 'outcome-unknown'];

/** Errors while any body is read. */
export const ofBody: Codes = ['body-timeout', 'too-large', 'unsupported-coding', 'cancelled'];

/** Errors of a body that is text in some charset. */
export const ofText: Codes = [...ofBody, 'parse-error', 'unsupported-media-type'];

/** Errors of a body that is an RDF document. */
export const ofRdf: Codes = [
  ...ofText,
  'bad-iri',
  'bad-term',
  'remote-context',
  'quarantined',
  'time-limit',
  'budget-exceeded',
];

/** Errors of every write to the store. */
export const ofStore: Codes = ['writes-disabled', 'unavailable', 'store-full', 'too-large', 'cancelled'];

/** Errors while a worker writes a document. */
export const ofSerialising: Codes = ['time-limit', 'budget-exceeded', 'cancelled', 'quarantined'];

/** Errors of the evaluation of a path or program. */
export const ofEvaluation: Codes = [
  'bad-iri',
  'missing-parameter',
  'parse-error',
  'unknown-prefix',
  'unknown-function',
  'resource-not-found',
  'not-acceptable',
  'too-large',
  'quarantined',
  'cancelled',
  'time-limit',
  'budget-exceeded',
];

/** Errors of SPARQL queries and updates. */
export const ofSparql: Codes = [
  'bad-query',
  'bad-iri',
  'missing-parameter',
  'parse-error',
  'precondition-failed',
  'too-large',
  'unsupported-sparql',
  'quarantined',
  'cancelled',
  'sparql-unavailable',
  'time-limit',
  'budget-exceeded',
];
