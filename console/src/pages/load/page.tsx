import { useEffect, useMemo, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { usePlace } from '../../app/location.ts';
import { Problem } from '../../components/problem.tsx';
import { formatOfType } from './formats.ts';
import { ItemView } from './item-view.tsx';
import { queue } from './queue.ts';
import { Sources } from './sources.tsx';
import { type KnownGraphs, tagOf } from './target.ts';
import { type Choice, TargetForm } from './target-form.tsx';
import { useGraphs } from './use-graphs.ts';

export function LoadPage() {
  const { query } = usePlace();
  const [choice, setChoice] = useState<Choice>({
    to: 'graph',
    graph: query.get('graph') ?? '',
    replaces: false,
  });
  const { graphs, error, reload } = useGraphs();
  const { items, isRunning } = useQueue();
  const [startError, setStartError] = useState<unknown>();
  // After each run the sizes, and what exists, are others.
  useEffect(() => {
    if (!isRunning) reload();
  }, [isRunning, reload]);
  const tag = useTag(choice, graphs);
  const ready = items.filter(({ progress }) => progress.step === 'ready');
  const start = async (event: Event) => {
    event.preventDefault();
    setStartError(undefined);
    const { replaces } = choice;
    const graph = choice.to === 'graph' ? choice.graph : undefined;
    const size = graph === undefined ? undefined : graphs?.sizes.get(graph);
    try {
      await queue.start({ graph, replaces, size, tag: await tag });
    } catch (reason) {
      setStartError(reason);
    }
  };
  return (
    <div class="load-page">
      <h1>Load</h1>
      <Sources />
      <form onSubmit={(event) => void start(event)}>
        {items.length > 0 && (
          <ul class="load-items" aria-label="Files">
            {items.map((item) => (
              <ItemView key={item.id} item={item} />
            ))}
          </ul>
        )}
        <TargetForm choice={choice} onChange={setChoice} graphs={graphs} disabled={isRunning} />
        <Remarks choice={choice} types={ready.map(({ type }) => type)} />
        {error !== undefined && <Problem error={error} />}
        {startError !== undefined && <Problem error={startError} />}
        <div class="buttons">
          <button
            type="submit"
            class={choice.to === 'dataset' && choice.replaces ? 'danger' : 'primary'}
            disabled={isRunning || ready.length === 0}
          >
            {choice.to === 'dataset' && choice.replaces ? 'Replace everything' : 'Load'}
          </button>
          {isRunning && (
            <button type="button" onClick={() => void queue.cancel()}>
              Cancel
            </button>
          )}
        </div>
      </form>
    </div>
  );
}

function useQueue(): { items: typeof queue.items; isRunning: boolean } {
  const current = () => ({ items: queue.items, isRunning: queue.isRunning });
  const [state, setState] = useState(current);
  useEffect(() => {
    const update = () => setState(current());
    queue.addEventListener('change', update);
    update();
    return () => queue.removeEventListener('change', update);
  }, []);
  useEffect(() => {
    if (!state.isRunning) return undefined;
    // The browser then asks before the upload is lost.
    const keep = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', keep);
    return () => removeEventListener('beforeunload', keep);
  }, [state.isRunning]);
  return state;
}

/** The entity tag of what would be replaced, as of the time when the user was told what it is. */
function useTag({ to, graph, replaces }: Choice, graphs: KnownGraphs | undefined) {
  const name = to === 'graph' ? graph : undefined;
  const exists = name === undefined || !graphs?.isComplete || graphs.sizes.has(name);
  const isNeeded = replaces && exists && name !== '';
  return useMemo(
    async () => (isNeeded ? tagOf(name).catch(undefinedIfMissing) : undefined),
    [isNeeded, name, graphs],
  );
}

/** Without a tag a graph counts as new, and the server rejects the replacement if it is not. */
function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof PathpoolError) return undefined;
  throw error;
}

interface RemarksProps {
  readonly choice: Choice;
  readonly types: readonly string[];
}

/** What is not obvious from the choices. */
function Remarks({ choice, types }: RemarksProps) {
  const namesGraphs = types.some((type) => formatOfType(type)?.namesGraphs);
  return (
    <>
      {choice.to === 'graph' && namesGraphs && (
        <p class="hint">Names of graphs in these files are ignored: all triples go to the one graph.</p>
      )}
      {choice.to === 'dataset' && types.length > 0 && !namesGraphs && (
        <p class="hint">No format of these files names graphs.</p>
      )}
      {choice.replaces && types.length > 1 && (
        <p class="hint">The first file replaces what is there; the others are added to it.</p>
      )}
    </>
  );
}
