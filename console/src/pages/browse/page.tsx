import { useEffect, useState } from 'preact/hooks';
import type { ListedGraph } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { Problem } from '../../components/problem.tsx';

export function BrowsePage() {
  const [error, setError] = useState<unknown>();
  const [graphs, setGraphs] = useState<readonly ListedGraph[]>([]);
  useEffect(() => {
    client.graphs.list().then(setGraphs, setError);
  }, []);
  return (
    <>
      <h1>Browse</h1>
      {error !== undefined && <Problem error={error} />}
      <ul>
        {graphs.map(({ uri }) => (
          <li key={uri}>{uri}</li>
        ))}
      </ul>
    </>
  );
}
