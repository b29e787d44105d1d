import { useState } from 'preact/hooks';
import { type ListedGraph, PathpoolError } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import { useLoaded } from '../../app/wait.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';

interface DeleteGraphProps {
  readonly graph: ListedGraph;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before it deletes a graph, and deletes it only in the state in which it was then. */
export function DeleteGraphDialog({ graph: { uri, size }, onClose, onDeleted }: DeleteGraphProps) {
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const state = useLoaded((signal) => tagOf(uri, signal), [uri]);
  const remove = async () => {
    setBusy(true);
    try {
      await client.graphs.delete(uri, { ifMatch: state.value });
      onDeleted();
    } catch (reason) {
      setError(explained(reason));
      setBusy(false);
    }
  };
  const problem = error ?? state.error;
  return (
    <Dialog title="Delete the graph?" onClose={onClose}>
      <p class="iri">{uri}</p>
      <p>Its {size.toLocaleString('en')} triples are removed from the server. This cannot be undone.</p>
      {problem !== undefined && <Problem error={problem} />}
      <div class="buttons">
        <button
          type="button"
          class="danger"
          disabled={isBusy || state.value === undefined}
          onClick={() => void remove()}
        >
          Delete
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

/** Returns the entity tag of a graph. */
async function tagOf(uri: string, signal: AbortSignal): Promise<string> {
  const path = `context?graph=${encodeURIComponent(uri)}`;
  const { headers } = await requestServer(path, { method: 'HEAD', signal });
  return headers.get('ETag') ?? '*';
}

function explained(reason: unknown): unknown {
  if (!(reason instanceof PathpoolError) || reason.status !== 412) return reason;
  return new Error(
    'The graph was changed while this dialog was open, so it was not deleted. Close it and look at the graph again.',
  );
}
