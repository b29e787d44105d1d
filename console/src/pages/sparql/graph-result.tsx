import { useEffect, useMemo, useState } from 'preact/hooks';
import { Problem } from '../../components/problem.tsx';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { turtle } from '../../editor/turtle.ts';
import { GraphPicture } from '../../graph/picture.tsx';
import { usePrefixes } from '../../resources/prefixes.ts';
import { evaluate } from './execution.ts';
import { firstTriples, MAX_EDGES, pictureOf } from './triples.ts';

/** Characters of Turtle that are shown; a download has all. */
const MAX_SHOWN = 2_000_000;

const extensions = [turtle];

export function TurtleView({ text }: { readonly text: string }) {
  const isCut = text.length > MAX_SHOWN;
  const shown = isCut ? text.slice(0, text.lastIndexOf('\n', MAX_SHOWN) + 1) : text;
  if (text.trim() === '') return <p>The result has no triples.</p>;
  return (
    <>
      {isCut && <p>This is the beginning of the result. Download it to see all of it.</p>}
      <CodeEditor label="Result as Turtle" value={shown} extensions={extensions} readOnly />
    </>
  );
}

/** Draws the beginning of a result. The query is evaluated again, since Turtle is not read here. */
export function GraphView({ query }: { readonly query: string }) {
  const prefixes = usePrefixes();
  const [triples, setTriples] = useState<{ readonly lines: readonly string[]; readonly hasMore: boolean }>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    evaluate(query, 'application/n-triples', signal)
      .then(firstTriples)
      .then(setTriples, (reason: unknown) => signal.aborted || setError(reason));
    return () => controller.abort();
  }, [query]);
  const graph = useMemo(() => triples && pictureOf(triples.lines, prefixes), [triples, prefixes]);
  if (error !== undefined) return <Problem error={error} />;
  if (!graph) return <p class="loading">Evaluating…</p>;
  if (graph.edges.length === 0) return <p>The result has no triples.</p>;
  return (
    <>
      {triples?.hasMore && <p>These are the first {MAX_EDGES} triples of the result.</p>}
      <GraphPicture label="Graph of the result" graph={graph} />
    </>
  );
}
