import { LengthyDocumentError, UnfoldingBudget } from '../../rdf/formats/unfolding-budget.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { type DataOperation, isOnData } from '../language/update/operations.ts';
import { readUpdate } from '../language/update/read-update.ts';
import type { SparqlEffects, UpdateRequest } from '../request.ts';
import { deleteData, insertData } from './data-operations.ts';
import { clearGraphs, createGraph, transferGraph } from './graph-operations.ts';
import { type UpdateContext, UpdatedData } from './updated-data.ts';

/**
 * Returns the effects of an update that has no pattern to evaluate; null for other updates. With
 * `brief`, throws `LengthyDocumentError` if it may take long. Errors: those of `readUpdate`,
 * `graph-not-found`, `graph-exists`, `server-managed`, `ldp-managed`.
 */
export function dataEffects(
  all: SnapshotReader,
  request: UpdateRequest,
  brief = false,
): SparqlEffects | null {
  const operations = readUpdate(request);
  if (!operations.every(isOnData)) return null;
  if (brief && operations.some(goesThroughGraphs)) throw new LengthyDocumentError();
  const reader = all.visibleTo(request.visible);
  return operationEffects(reader, operations, request, brief ? new UnfoldingBudget(0, true) : undefined);
}

/**
 * Returns the effects of operations without patterns. Errors: those of `dataEffects`, except those
 * of reading the text.
 */
export function operationEffects(
  reader: SnapshotReader,
  operations: readonly DataOperation[],
  request: UpdateContext,
  work?: UnfoldingBudget,
): SparqlEffects {
  const data = new UpdatedData(reader, request, work);
  for (const operation of operations) applyOperation(data, operation);
  return data.effects();
}

/** Whether an operation visits all triples of a graph, or all existing graphs. */
function goesThroughGraphs(operation: DataOperation): boolean {
  switch (operation.kind) {
    case 'copy':
    case 'move':
    case 'add':
      return true;
    case 'clear':
    case 'drop':
      return operation.target === 'all' || operation.target === 'named';
    default:
      return false;
  }
}

/** Applies an operation without a pattern. */
export function applyOperation(data: UpdatedData, operation: DataOperation): void {
  switch (operation.kind) {
    case 'insert-data':
      insertData(data, operation.data);
      break;
    case 'delete-data':
      deleteData(data, operation.data);
      break;
    case 'clear':
    case 'drop':
      clearGraphs(data, operation);
      break;
    case 'create':
      createGraph(data, operation);
      break;
    case 'copy':
    case 'move':
    case 'add':
      transferGraph(data, operation);
      break;
    case 'nothing':
      break;
  }
}
