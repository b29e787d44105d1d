import { failure } from '../../../errors.ts';
import { namesGraphs } from '../../../sparql/language/names-graphs.ts';
import type { HttpReply, HttpRequest } from '../../message.ts';
import { refusal } from '../../problem.ts';
import { datasetOf } from './dataset-parameters.ts';
import type { SparqlOperation } from './operation.ts';
import type { SparqlOptions, SparqlUpdates } from './services.ts';

const bothNamed =
  "The parameters 'using-graph-uri' and 'using-named-graph-uri' can't be given for an update that says USING or WITH.";

/** Carries out an update, once the request has proved that it may write. */
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
  const { text } = operation;
  if (dataset.value && namesGraphs(text)) return refusal(failure('bad-query', bothNamed).error, request);
  const update = { text, baseIri: `${options.base}/sparql`, dataset: dataset.value };
  const outcome = await updates.update(update, request);
  return outcome.ok ? { status: 204, headers: [] } : refusal(outcome.error, request);
}
