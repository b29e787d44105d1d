import { useCallback, useEffect, useState } from 'preact/hooks';
import { type KnownGraphs, readGraphs } from './target.ts';

/** The graphs of the server, and a function that reads them again. */
export function useGraphs(): { graphs: KnownGraphs | undefined; error: unknown; reload: () => void } {
  const [graphs, setGraphs] = useState<KnownGraphs>();
  const [error, setError] = useState<unknown>();
  const reload = useCallback(() => {
    readGraphs().then((read) => {
      setError(undefined);
      setGraphs(read);
    }, setError);
  }, []);
  useEffect(reload, [reload]);
  return { graphs, error, reload };
}
