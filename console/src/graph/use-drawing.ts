import { useEffect, useState } from 'preact/hooks';
import type { Drawable, Drawing, EdgeEnds, Texts } from './layout.ts';

interface Layout<N, E> {
  readonly drawing?: Drawing<N, E>;
  readonly error?: unknown;
}

/**
 * Places the nodes of a graph with a library that is fetched when it is first needed. Both values
 * must stay the same ones as long as nothing has changed.
 */
export function useDrawing<N extends { readonly id: string }, E extends EdgeEnds>(
  graph: Drawable<N, E>,
  texts: Texts<N, E>,
): Layout<N, E> {
  const [result, setResult] = useState<Layout<N, E>>({});
  useEffect(() => {
    let isCurrent = true;
    import('./layout.ts').then(
      ({ drawingOf }) => isCurrent && setResult({ drawing: drawingOf(graph, texts) }),
      (error: unknown) => isCurrent && setResult({ error }),
    );
    return () => {
      isCurrent = false;
    };
  }, [graph, texts]);
  return result;
}
