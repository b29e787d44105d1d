import { LengthyDocumentError, UnfoldingBudget } from '../../rdf/formats/unfolding-budget.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { type DataOperation, isOnData } from '../language/update/operations.ts';
import { readUpdate } from '../language/update/read-update.ts';
import type { SparqlEffects, UpdateRequest } from '../request.ts';
import { deleteData, insertData } from './data-operations.ts';
import { clearGraphs, createGraph, transferGraph } from './graph-operations.ts';
import { UpdatedData } from './updated-data.ts';

/**
 * What an update comes to that has no pattern to be evaluated; null for others. Errors: those of
 * `readUpdate`, `graph-not-found`, `graph-exists`, `server-managed`, `ldp-managed`. `brief`: what
 * may take long throws `LengthyDocumentError`.
 */
export function dataEffects(
  reader: SnapshotReader,
  request: UpdateRequest,
  brief = false,
): SparqlEffects | null {
  const operations = readUpdate(request);
  if (!operations.every(isOnData)) return null;
  if (brief && operations.some(goesThroughGraphs)) throw new LengthyDocumentError();
  return operationEffects(reader, operations, request, brief ? new UnfoldingBudget(0, true) : undefined);
}

/** What operations come to that have no pattern. Errors: those of `dataEffects`, but of reading. */
export function operationEffects(
  reader: SnapshotReader,
  operations: readonly DataOperation[],
  request: Pick<UpdateRequest, 'emptyGraphs' | 'settings'>,
  work?: UnfoldingBudget,
): SparqlEffects {
  const data = new UpdatedData(reader, request, work);
  for (const operation of operations) applyOperation(data, operation);
  return data.effects();
}

/** Through the triples of one, or all graphs that there are. */
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

/** Does an operation that has no pattern. */
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
