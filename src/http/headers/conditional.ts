import { type Precondition, preconditionHolds, type Validators } from '../../base/precondition.ts';
import { type Failure, failure } from '../../errors.ts';
import type { GraphPrecondition } from '../../store/main/transaction.ts';
import type { HttpRequest } from '../server/message.ts';
import { decodedOpaque, parseTagList, stateOf, type TagList } from './entity-tag.ts';
import { parseLastModified } from './last-modified.ts';

export type ReadDecision = 'send' | 'not-modified' | 'precondition-failed';

type RequestHead = Pick<HttpRequest, 'header'>;

/**
 * Decides whether a GET or HEAD of an existing representation gets a full response (RFC 9110
 * section 13.2.2, G-74).
 */
export function decideRead(request: RequestHead, entityTag: string, current: Validators): ReadDecision {
  const precondition = matchPrecondition(request);
  if (precondition && !preconditionHolds(precondition, current)) return 'precondition-failed';
  const noneMatch = request.header('if-none-match');
  if (noneMatch !== undefined) return namesTag(noneMatch, entityTag) ? 'not-modified' : 'send';
  const since = dateHeader(request, 'if-modified-since');
  return since !== undefined && second(current.modified) <= second(since) ? 'not-modified' : 'send';
}

/** Returns the head of a request for a target without a modification date for preconditions. */
export function withoutDates(request: RequestHead): RequestHead {
  return {
    header: (name) => (/^if-(?:un)?modified-since$/.test(name) ? undefined : request.header(name)),
  };
}

/**
 * Weak comparison of the full tag, without `W/`. A gzip variant matches its identity variant
 * (G-63).
 */
export function namesTag(header: string, entityTag: string): boolean {
  if (header === entityTag) return true;
  const tags = parseTagList(header);
  return tags === '*' || tags.some((tag) => `"${decodedOpaque(tag)}"` === entityTag);
}

/**
 * Strong comparison of the full tag, or `*`. A gzip variant matches its identity variant (G-63).
 */
export function matchesTag(header: string, entityTag: string): boolean {
  const tags = parseTagList(header);
  return tags === '*' || tags.some((tag) => !tag.weak && `"${decodedOpaque(tag)}"` === entityTag);
}

/**
 * Returns the error if a request for a target with weak entity tags or none has an `If-Match` that
 * can't match: it requires a strong comparison (RFC 9110 section 13.1.1).
 */
export function failedMatch(request: RequestHead): Failure | undefined {
  const match = request.header('if-match');
  if (match === undefined || parseTagList(match) === '*') return undefined;
  const message = "The resource has only weak entity tags or none, so If-Match can match only with '*'.";
  return failure('precondition-failed', message);
}

/** Returns the result of `writePrecondition` for a graph. */
export function graphPrecondition(request: RequestHead, graph: string): GraphPrecondition | undefined {
  const precondition = writePrecondition(request);
  return precondition && { graph, ...precondition };
}

/** Returns the preconditions of a write (G-75 to G-77), or undefined if there are none. */
export function writePrecondition(request: RequestHead): Precondition | undefined {
  const precondition = matchPrecondition(request);
  const noneMatch = request.header('if-none-match');
  if (noneMatch === undefined) return precondition;
  return { ...precondition, noneMatch: states(parseTagList(noneMatch), 'all') };
}

/** Returns the precondition on the current state (`If-Match` or `If-Unmodified-Since`). */
function matchPrecondition(request: RequestHead): Precondition | undefined {
  const match = request.header('if-match');
  if (match !== undefined) return { match: states(parseTagList(match), 'strong only') };
  const since = dateHeader(request, 'if-unmodified-since');
  return since === undefined ? undefined : { unmodifiedSince: since };
}

function states(tags: TagList, which: 'strong only' | 'all'): '*' | string[] {
  if (tags === '*') return '*';
  return tags.filter((tag) => which === 'all' || !tag.weak).map(stateOf);
}

function dateHeader(request: RequestHead, name: string): number | undefined {
  const value = request.header(name);
  return value === undefined ? undefined : parseLastModified(value);
}

function second(time: number): number {
  return Math.floor(time / 1000);
}
