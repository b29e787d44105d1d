import { AppError } from '../../../errors.ts';
import type { SparqlInstance } from '../../instance.ts';
import type { ModifyOperation } from '../../language/update/operations.ts';
import type { UpdateSettings } from '../../request.ts';
import { askOxigraph } from '../ask-oxigraph.ts';
import { type Dataset, datasetOf } from '../dataset.ts';
import { evaluateCorrected, TABLE } from '../evaluate-corrected.ts';
import { withAppErrors } from '../oxigraph-errors.ts';
import { Solutions } from './solutions.ts';

/**
 * Selected if the templates have no variables, because each solution counts. Whether the pattern
 * binds it does not matter.
 */
const UNREAD = 'solution';

/** Returns the variables that the templates use; at least one. */
export function variablesOf({
  removals,
  additions,
}: Pick<ModifyOperation, 'removals' | 'additions'>): string[] {
  const names = new Set<string>();
  for (const { subject, predicate, object, graph } of [...removals, ...additions]) {
    for (const term of [subject, predicate, object, graph]) {
      if (term?.kind === 'variable') names.add(term.name);
    }
  }
  return names.size > 0 ? [...names] : [UNREAD];
}

/** Returns the graphs that the pattern of an operation sees. */
export function datasetFor({ using, withGraph }: ModifyOperation, settings: UpdateSettings): Dataset {
  if (using || withGraph === undefined) return datasetOf(using, settings);
  return { default: [withGraph], named: undefined };
}

/**
 * Evaluates the pattern of an operation. Errors: those of `asAppError`, with lines and columns of
 * the update.
 */
export function select(
  instance: Pick<SparqlInstance, 'oxigraph' | 'isMerged' | 'store'>,
  operation: ModifyOperation,
  variables: readonly string[],
  dataset: Dataset,
): Solutions {
  const head = `${operation.prologue}SELECT ${variables.map((name) => `?${name}`).join(' ')} WHERE\n`;
  const ask = (text: string, format: string) =>
    withAppErrors(() => askOxigraph(instance, instance.store, { text, baseIri: undefined, dataset, format }));
  try {
    // The head contains the base and no relative IRIs.
    const asked = { text: head + operation.where, baseIri: '', format: TABLE };
    return new Solutions(evaluateCorrected(asked, ask));
  } catch (error) {
    throw placed(error, head.split('\n').length, operation);
  }
}

/**
 * Translates the position of a syntax error to the update. `first`: the line on which the pattern
 * begins in the query.
 */
function placed(error: unknown, first: number, { place }: ModifyOperation): unknown {
  if (!(error instanceof AppError) || error.code !== 'parse-error') return error;
  const { line = first, column = 1 } = error.details;
  const inPattern = Math.max(0, line - first);
  const begin = place();
  return new AppError('parse-error', error.message, {
    line: begin.line + inPattern,
    column: inPattern === 0 ? begin.column + column - 1 : column,
    source: 'body',
  });
}
