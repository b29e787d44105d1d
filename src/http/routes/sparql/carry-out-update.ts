import { matchRefusal } from '../../headers/conditional.ts';
import { refusal } from '../../problem.ts';
import type { HttpReply, HttpRequest } from '../../server/message.ts';
import { datasetOf } from './dataset-parameters.ts';
import type { SparqlOperation } from './protocol-operation.ts';
import type { SparqlOptions, SparqlUpdates } from './services.ts';

/** Executes an update, after checking that the request may write. */
export async function carryOutUpdate(
  updates: SparqlUpdates,
  options: SparqlOptions,
  request: HttpRequest,
  operation: SparqlOperation,
): Promise<HttpReply> {
  const forbidden = await request.writeRefusal();
  if (forbidden) return refusal(forbidden, request);
  const dataset = datasetOf(operation);
  if (!dataset.ok) return refusal(dataset.error, request);
  const mismatch = matchRefusal(request);
  if (mismatch) return refusal(mismatch, request);
  const { text } = operation;
  const update = { text, baseIri: `${options.base}/sparql`, dataset: dataset.value };
  const outcome = await updates.update(update, request);
  return outcome.ok ? { status: 204, headers: [] } : refusal(outcome.error, request);
}
