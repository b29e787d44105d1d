import type { SparqlEffects } from '../../sparql/request.ts';
import type { Transaction } from '../../store/transaction.ts';

/** What commits the effects of an update, if the data are still such that they are right. */
export function updateTransaction({ sequence: since, unchanged, ...changes }: SparqlEffects): Transaction {
  const preconditions = unchanged.length > 0 ? [{ since, unchanged }] : [];
  return { preconditions, operations: [{ kind: 'update', ...changes }] };
}
