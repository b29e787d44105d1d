import type { SparqlEffects } from '../../sparql/request.ts';
import type { Transaction } from '../../store/main/transaction.ts';

/**
 * Returns the transaction that commits the effects of an update, if the data that they depend on
 * are unchanged.
 */
export function updateTransaction(effects: SparqlEffects): Transaction {
  const { sequence: since, unchanged, cleared, removals, additions, created, dropped } = effects;
  return {
    preconditions: unchanged.length > 0 ? [{ since, unchanged }] : [],
    operations: [{ kind: 'update', cleared, removals, additions, created, dropped }],
  };
}
