import { failedMatch } from '../../headers/conditional.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../server/message.ts';
import { datasetOf } from './dataset-parameters.ts';
import type { SparqlOperation } from './protocol-operation.ts';
import type { SparqlOptions, SparqlUpdates } from './services.ts';

/** Executes an update, after checking that the request may write. */
export async function executeUpdate(
  updates: SparqlUpdates,
  options: SparqlOptions,
  request: HttpRequest,
  operation: SparqlOperation,
): Promise<HandlerResult> {
  const forbidden = await request.checkWrite();
  if (forbidden) return rejection(forbidden);
  const dataset = datasetOf(operation);
  if (!dataset.ok) return dataset;
  const mismatch = failedMatch(request);
  if (mismatch) return mismatch;
  const { text } = operation;
  const update = { text, baseIri: `${options.base}/sparql`, dataset: dataset.value };
  const outcome = await updates.update(update, request);
  return outcome.ok ? { status: 204, headers: [] } : outcome;
}
