import { maySee, type Restricted, writeDenial } from '../../base/graph-access.ts';
import { noSuchGraph, type Result } from '../../errors.ts';
import type { SparqlEffects } from '../../sparql/request.ts';

/**
 * Returns the effects of an update if the client may write all graphs that they change (http-api
 * G-162). Names decide, so that what others commit in the meantime makes no difference. Graphs
 * that the client does not see are left out of the precondition: for it they never exist. Errors:
 * `graph-not-found`, `forbidden`.
 */
export function permittedEffects(effects: SparqlEffects, client: Restricted): Result<SparqlEffects> {
  if (client.access === undefined) return { ok: true, value: effects };
  for (const graph of effects.changed) {
    const error = writeDenial(client, graph, noSuchGraph(graph).error);
    if (error) return { ok: false, error };
  }
  const unchanged = effects.unchanged.filter(({ graph }) => maySee(client, graph));
  return { ok: true, value: { ...effects, unchanged } };
}
