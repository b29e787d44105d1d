import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { addressOf } from '../../app/location.ts';
import { useLoaded } from '../../app/wait.ts';
import { Problem } from '../../components/problem.tsx';

interface GraphsPanelProps {
  readonly uri: string;
  /** Another number: load again. */
  readonly version: number;
}

const MAX_GRAPHS = 100;

/** The graphs with triples about a resource. SPARQL alone can tell. */
export function GraphsPanel({ uri, version }: GraphsPanelProps) {
  const { value: graphs, error } = useLoaded((signal) => graphsOf(uri, signal), [uri, version]);
  const isOff = error instanceof PathpoolError && error.status === 503;
  return (
    <section aria-label="Graphs">
      <h2>Graphs with triples about it</h2>
      {isOff && (
        <p class="hint">They are found by SPARQL, which the server does not offer now: {error.message}</p>
      )}
      {error !== undefined && !isOff && <Problem error={error} />}
      {error === undefined && !graphs && <p class="loading">Loading…</p>}
      {graphs?.length === 0 && <p class="hint">None: the server manages its triples, or there are none.</p>}
      <ul>
        {graphs?.map(({ graph, count }) => (
          <li key={graph} class="iri">
            <a href={addressOf('browse', { graph })}>{graph}</a>{' '}
            <span class="hint">{count.toLocaleString('en')} triples</span>
          </li>
        ))}
      </ul>
      {graphs?.length === MAX_GRAPHS && <p class="hint">There may be more.</p>}
    </section>
  );
}

interface GraphCount {
  readonly graph: string;
  readonly count: number;
}

async function graphsOf(uri: string, signal: AbortSignal): Promise<GraphCount[]> {
  const query = `SELECT ?graph (COUNT(*) AS ?count) { GRAPH ?graph { <${uri}> ?property ?value } }
    GROUP BY ?graph ORDER BY DESC(?count) LIMIT ${MAX_GRAPHS}`;
  const { solutions } = await client.sparql.select(query, { signal });
  return solutions.flatMap(({ graph, count }) =>
    graph?.type === 'uri' ? [{ graph: graph.value, count: Number(count?.value) }] : [],
  );
}
