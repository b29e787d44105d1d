import { failure, type Result } from '../../../../errors.ts';
import { parseStartSet } from '../../../../rdf/model/resources/start-set.ts';
import type { StartSetInput } from '../../../../services/ldpath/ldpath.ts';
import type { SetCursors } from './cursor.ts';

/** A set of start resources, as a request describes it. */
export interface RequestedSet {
  readonly starts: StartSetInput;
  /** The commit of the cursor; undefined without one. */
  readonly commit: string | undefined;
}

/**
 * Reads a set from its JSON, and the members `limit` and `cursor` of its batch. Errors
 * `bad-arguments`, `bad-iri`, `position-gone`.
 */
export function readSet(
  json: unknown,
  { limit, cursor, missing }: Readonly<Record<string, unknown>>,
  cursors: Pick<SetCursors, 'read'>,
): Result<RequestedSet> {
  const set = parseStartSet(json);
  if (!set.ok) return failure(set.code, set.message);
  if (missing !== undefined)
    return failure('bad-arguments', "'missing' is for 'uris': all members of a set exist.");
  if (limit !== undefined && !isPositive(limit))
    return failure('bad-arguments', "'limit' must be a whole number of at least 1.");
  const most = limit ?? Number.POSITIVE_INFINITY;
  if (cursor === undefined) {
    return { ok: true, value: { starts: { set: set.value, after: null, limit: most }, commit: undefined } };
  }
  const position = cursors.read(cursor);
  if (!position.ok) return position;
  const { after, commit } = position.value;
  return { ok: true, value: { starts: { set: set.value, after, limit: most }, commit } };
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
