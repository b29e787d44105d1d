import { failure, type Result } from '../../../errors.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import type { Beginning, ChangeService } from '../../../services/changes/service.ts';
import { badIri } from '../../iri-parameter.ts';
import { count } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { HttpRequest } from '../../server/message.ts';

const MOST_WAIT_S = 60;

/** What a client asks for. */
export interface ChangesQuery {
  /** Undefined: no place is given. */
  readonly since: Beginning | undefined;
  readonly rows: boolean;
  /** Only changes of this graph. */
  readonly graph: string | undefined;
  /** Number of commits; infinite without a limit. */
  readonly limit: number;
  /** How long to wait if there is nothing new, in seconds. */
  readonly wait: number;
}

/** Errors: `bad-query`, `bad-iri`, `position-gone`. */
export async function readChangesQuery(
  request: HttpRequest,
  query: Query,
  service: Pick<ChangeService, 'beginningAt'>,
): Promise<Result<ChangesQuery>> {
  const since = await sinceOf(request, query, service);
  if (!since.ok) return since;
  const limit = count(query, 'limit');
  if (!limit.ok) return limit;
  const wait = count(query, 'wait');
  if (!wait.ok) return wait;
  if ((wait.value ?? 0) > MOST_WAIT_S) {
    return failure('bad-query', `The parameter 'wait' must be at most ${MOST_WAIT_S} seconds.`);
  }
  const graph = query.get('graph');
  if (graph !== undefined && !isIri(graph)) return badIri('graph', graph);
  const rows = rowsOf(query);
  if (!rows.ok) return rows;
  const given = { since: since.value, rows: rows.value, graph };
  return {
    ok: true,
    value: { ...given, limit: limit.value ?? Number.POSITIVE_INFINITY, wait: wait.value ?? 0 },
  };
}

/** A client that reconnects sends its first target again, and how far it came in the header. */
async function sinceOf(
  request: HttpRequest,
  query: Query,
  service: Pick<ChangeService, 'beginningAt'>,
): Promise<Result<Beginning | undefined>> {
  const given = lastEventId(request) ?? query.get('since');
  return given === undefined ? { ok: true, value: undefined } : service.beginningAt(given);
}

/** The position up to which a client that reconnects has events; it may have none yet. */
export function lastEventId(request: HttpRequest): string | undefined {
  return request.header('last-event-id') || undefined;
}

function rowsOf(query: Query): Result<boolean> {
  if (!query.has('rows')) return { ok: true, value: false };
  const text = query.get('rows') ?? 'true';
  if (text === 'true' || text === 'false') return { ok: true, value: text === 'true' };
  return failure('bad-query', "The parameter 'rows' must be 'true' or 'false'.");
}
