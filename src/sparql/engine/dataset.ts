import type { SparqlDataset } from '../request.ts';
import type { EngineSettings } from './settings.ts';

/** Names of the graphs that can be a query's default graph. */
const UNION_GRAPH = 'urn:x-arq:UnionGraph';
const DEFAULT_GRAPH = 'urn:x-arq:DefaultGraph';

/** The graphs that a query sees. */
export interface Dataset {
  /** IRIs; `union` for the merge of all graphs. */
  readonly default: 'union' | readonly string[];
  /** Undefined for all. */
  readonly named: readonly string[] | undefined;
}

type DatasetSettings = Pick<EngineSettings, 'defaultGraphIs' | 'defaultGraph'>;

/** Returns the graphs that a request names, or the defaults if it names none. */
export function datasetOf(named: SparqlDataset | undefined, settings: DatasetSettings): Dataset {
  const { defaultGraphIs, defaultGraph } = settings;
  if (!named) return { default: defaultGraphIs === 'union' ? 'union' : [defaultGraph], named: undefined };
  const { defaultGraphs, namedGraphs } = named;
  if (defaultGraphs.includes(UNION_GRAPH)) return { default: 'union', named: namedGraphs };
  const graphs = defaultGraphs.map((graph) => (graph === DEFAULT_GRAPH ? defaultGraph : graph));
  return { default: [...new Set(graphs)], named: namedGraphs };
}
