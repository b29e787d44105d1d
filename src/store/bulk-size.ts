import { quadsOf } from './store-priority.ts';
import type { GraphOperation, Operation, Transaction } from './transaction.ts';

/**
 * The operation of a transaction that pool threads are to work out: its only one, on graphs, which
 * may change `bulkRows` quads or more. Undefined for all others.
 */
export function bulkOperation(
  { operations }: Transaction,
  sizeOf: (graph: string) => number,
  bulkRows: number,
): GraphOperation | undefined {
  const [operation, ...others] = operations;
  if (!operation || others.length > 0 || !isOnGraphs(operation)) return undefined;
  return quadsOf(operation, sizeOf) >= bulkRows ? operation : undefined;
}

function isOnGraphs(operation: Operation): operation is GraphOperation {
  return 'graph' in operation || operation.kind === 'load' || operation.kind === 'update';
}
