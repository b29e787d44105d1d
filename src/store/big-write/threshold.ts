import type { GraphOperation, Operation, Transaction } from '../main/transaction.ts';
import { quadsOf } from '../priority.ts';

/**
 * Returns the operation of a transaction if pool threads should work it out: it must be the only
 * one, be on graphs, and be able to change `bigWriteRows` quads or more. Otherwise undefined.
 */
export function bigOperation(
  { operations }: Transaction,
  sizeOf: (graph: string) => number,
  bigWriteRows: number,
): GraphOperation | undefined {
  const [operation, ...others] = operations;
  if (!operation || others.length > 0 || !isOnGraphs(operation)) return undefined;
  return quadsOf(operation, sizeOf) >= bigWriteRows ? operation : undefined;
}

function isOnGraphs(operation: Operation): operation is GraphOperation {
  return 'graph' in operation || operation.kind === 'load' || operation.kind === 'update';
}
