import type { SnapshotReader } from '../../snapshot/reader.ts';
import { type DataOperation, isOnData } from '../language/update/operations.ts';
import { readUpdate } from '../language/update/reader.ts';
import type { SparqlEffects, UpdateRequest } from '../request.ts';
import { deleteData, insertData } from './data-operations.ts';
import { clearGraphs, createGraph, transferGraph } from './graph-operations.ts';
import type { UpdateSettings } from './settings.ts';
import { UpdatedData } from './updated-data.ts';

/**
 * What an update comes to that has no pattern to be evaluated; null for others. Errors: those of `readUpdate`,
 * `graph-not-found`, `graph-exists`, `server-managed`, `ldp-managed`.
 */
export function dataEffects(
  reader: SnapshotReader,
  request: UpdateRequest,
  settings: UpdateSettings,
): SparqlEffects | null {
  const operations = readUpdate(request);
  if (!operations.every(isOnData)) return null;
  const data = new UpdatedData(reader, request.emptyGraphs, settings);
  for (const operation of operations) applyOperation(data, operation);
  return data.effects();
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
