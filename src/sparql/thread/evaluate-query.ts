import { AppError } from '../../errors.ts';
import { askOxigraph } from '../engine/ask-oxigraph.ts';
import { datasetOf } from '../engine/dataset.ts';
import { evaluateCorrected, TABLE, unwrapped } from '../engine/evaluate-corrected.ts';
import { withAppErrors } from '../engine/oxigraph-errors.ts';
import type { EngineSettings } from '../engine/settings.ts';
import { datasetClause } from '../language/dataset-clause.ts';
import { type QueryFacts, queryFacts } from '../language/query-facts.ts';
import type { SparqlQuery } from '../request.ts';
import { writeBoolean, writeResults } from '../results/write-results.ts';
import { writeGraph } from './graph-result.ts';
import type { MergedGraphs } from './merged-graphs.ts';
import type { Mirror } from './mirror.ts';

/** Matches texts with GeoSPARQL functions, whose names may contain escapes. */
const mayNameGeometry = /geosparql|\\/;

const TRIPLES = 'application/n-triples';

/** The tools for evaluating a query. */
export interface QueryParts {
  readonly mirror: Mirror;
  readonly merged: MergedGraphs;
  readonly settings: EngineSettings;
  /** Called when the result is known and is about to be written. */
  readonly onResult: () => void;
}

/**
 * Returns the result, in the media type that the query asks for. Errors: `parse-error`,
 * `unsupported-sparql`, `too-large`, `budget-exceeded`.
 */
export function evaluateQuery(query: SparqlQuery, parts: QueryParts): Uint8Array {
  const { mediaType, prefixes } = query;
  const facts = query.facts ?? unwrapped(queryFacts(query.text));
  const { form, order, computed } = facts;
  const text = evaluate(query, facts, parts);
  parts.onResult();
  const spell = (term: string) => parts.mirror.spell(term);
  const maxBytes = parts.settings.resultBytes;
  if (form === 'ask') return writeBoolean(text === 'true', mediaType);
  if (form === 'select') return writeResults(text, { mediaType, order, computed, spell, maxBytes });
  return writeGraph(text, { mediaType, prefixes, spell, maxBytes });
}

/** Returns the result as Oxigraph writes it. */
function evaluate(query: SparqlQuery, { form, hasFrom, isVolatile }: QueryFacts, parts: QueryParts): string {
  if (form === 'update') throw new AppError('parse-error', 'This is an update, not a query.');
  const { mirror, merged, settings } = parts;
  const { text, baseIri } = query;
  const named = query.dataset ?? (hasFrom ? datasetClause(text, baseIri) : undefined);
  // Undefined: Oxigraph itself determines the graphs from the text.
  const dataset = named || !hasFrom ? datasetOf(named, settings) : undefined;
  const store = dataset && withAppErrors(() => merged.for(dataset));
  // The merged store contains only the triples of the data set, already merged.
  const seen = store ? { ...dataset, default: 'union' as const } : dataset;
  const evaluateAs = (asked: string, format: string) =>
    askOxigraph(mirror, store ?? mirror.store, { text: asked, baseIri, dataset: seen, format });
  const { overhead } = mirror.limited;
  const needsAll = isVolatile || mayNameGeometry.test(text);
  const ask = (asked: string, format: string) =>
    withAppErrors(() =>
      needsAll ? evaluateAs(asked, format) : overhead.leaveOut(() => evaluateAs(asked, format)),
    );
  const isTable = form === 'select' || form === 'ask';
  return evaluateCorrected({ text, baseIri, format: isTable ? TABLE : TRIPLES }, ask);
}
