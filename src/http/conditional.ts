import type { Condition } from '../store/condition.ts';
import type { Precondition } from '../store/transaction.ts';
import { parseTagList, stateOf, type TagList, unpackedOpaque } from './entity-tag.ts';
import { parseHttpDate } from './http-date.ts';
import type { HttpRequest } from './message.ts';

/** What a stored thing is known by when conditions are checked against it. */
export interface Validators {
  /** The `<state>` of its entity tags. */
  readonly state: string;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

export type ReadDecision = 'send' | 'not-modified' | 'precondition-failed';

type RequestHead = Pick<HttpRequest, 'header'>;

/** Whether a GET or HEAD of an existing representation is answered in full (RFC 9110 13.2.2, G-74). */
export function decideRead(request: RequestHead, entityTag: string, current: Validators): ReadDecision {
  const condition = matchCondition(request);
  if (condition && !holds(condition, current)) return 'precondition-failed';
  const noneMatch = request.header('if-none-match');
  if (noneMatch !== undefined) return namesTag(noneMatch, entityTag) ? 'not-modified' : 'send';
  const since = dateHeader(request, 'if-modified-since');
  return since !== undefined && second(current.modified) <= second(since) ? 'not-modified' : 'send';
}

/** Weak comparison of the full tag; who has it packed has it too (G-63). */
function namesTag(header: string, entityTag: string): boolean {
  if (header === entityTag) return true;
  const tags = parseTagList(header);
  return tags === '*' || tags.some((tag) => `"${unpackedOpaque(tag)}"` === entityTag);
}

/** As `writeCondition`, upon a graph. */
export function writePrecondition(request: RequestHead, graph: string): Precondition | undefined {
  const condition = writeCondition(request);
  return condition && { graph, ...condition };
}

/** The conditions of a write (G-75 to G-77); undefined for none. */
export function writeCondition(request: RequestHead): Condition | undefined {
  const condition = matchCondition(request);
  const noneMatch = request.header('if-none-match');
  if (noneMatch === undefined) return condition;
  return { ...condition, noneMatch: states(parseTagList(noneMatch), 'all') };
}

/** What a request says of the state that it wants to meet. */
function matchCondition(request: RequestHead): Condition | undefined {
  const match = request.header('if-match');
  if (match !== undefined) return { match: states(parseTagList(match), 'strong only') };
  const since = dateHeader(request, 'if-unmodified-since');
  return since === undefined ? undefined : { unmodifiedSince: since };
}

function states(tags: TagList, which: 'strong only' | 'all'): '*' | string[] {
  if (tags === '*') return '*';
  return tags.filter((tag) => which === 'all' || !tag.weak).map(stateOf);
}

/** Whether a condition holds of what is there now; undefined for a target that does not exist. */
export function holds(condition: Condition, current: Validators | undefined): boolean {
  const { match, noneMatch, unmodifiedSince } = condition;
  if (match !== undefined && !names(match, current)) return false;
  if (noneMatch !== undefined && names(noneMatch, current)) return false;
  if (unmodifiedSince === undefined || current === undefined) return true;
  return second(current.modified) <= second(unmodifiedSince);
}

function names(list: '*' | readonly string[], current: Validators | undefined): boolean {
  return current !== undefined && (list === '*' || list.includes(current.state));
}

function dateHeader(request: RequestHead, name: string): number | undefined {
  const value = request.header(name);
  return value === undefined ? undefined : parseHttpDate(value);
}

function second(time: number): number {
  return Math.floor(time / 1000);
}
