import { AppError, fromErrorData } from '../../errors.ts';
import { type QueryFacts, queryFacts } from '../language/query-facts.ts';
import type { SparqlQuery } from '../request.ts';
import { writeResults } from '../results/write-results.ts';
import { askOxigraph } from './ask-oxigraph.ts';
import { type Dataset, datasetOf } from './dataset.ts';
import { faultOf } from './faults.ts';
import { writeGraph } from './graph-answer.ts';
import type { MergedGraphs } from './merged-graphs.ts';
import type { Mirror } from './mirror.ts';
import type { EngineSettings } from './settings.ts';

const TABLE = 'text/tab-separated-values';
const TRIPLES = 'application/n-triples';

/** What a query is evaluated with. */
export interface QueryParts {
  readonly mirror: Mirror;
  readonly merged: MergedGraphs;
  readonly settings: EngineSettings;
  /** The answer is there, and is about to be written. */
  readonly onAnswer: () => void;
}

/**
 * The answer, in the media type that the query asks for. Errors: `parse-error`, `unsupported-sparql`,
 * `too-large`, `budget-exceeded`.
 */
export function evaluateQuery(query: SparqlQuery, parts: QueryParts): Uint8Array {
  const facts = queryFacts(query.text);
  if (!facts.ok) throw fromErrorData(facts.error);
  const { form, order } = facts.value;
  if (form === 'update') throw new AppError('parse-error', 'This is an update, not a query.');
  const isTable = form === 'select' || form === 'ask';
  const text = ask(query, facts.value, isTable ? TABLE : TRIPLES, parts);
  parts.onAnswer();
  const { mediaType } = query;
  const spell = (term: string) => parts.mirror.spell(term);
  const maxBytes = parts.settings.resultBytes;
  return isTable
    ? writeResults(text, { mediaType, order, spell, maxBytes })
    : writeGraph(text, { mediaType, spell, maxBytes });
}

function ask(query: SparqlQuery, facts: QueryFacts, format: string, parts: QueryParts): string {
  const { mirror, merged } = parts;
  const dataset = datasetFor(query, facts, parts);
  try {
    const store = dataset && merged.for(dataset);
    const { text, baseIri } = query;
    if (!store) return askOxigraph(mirror, mirror.store, { text, baseIri, dataset, format });
    // All that the store's default graph has, and the named graphs that were put there.
    return askOxigraph(mirror, store, { text, baseIri, dataset: { ...dataset, default: 'union' }, format });
  } catch (error) {
    throw faultOf(error);
  }
}

/** Undefined when the text says it, and Oxigraph can be left to it. */
function datasetFor(query: SparqlQuery, facts: QueryFacts, { settings }: QueryParts): Dataset | undefined {
  if (query.dataset === undefined && facts.hasFrom) return undefined;
  return datasetOf(query.dataset, settings);
}
