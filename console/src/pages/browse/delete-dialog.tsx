import type { ListedGraph } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import { DeleteDialog } from '../../components/delete-dialog.tsx';

interface DeleteGraphProps {
  readonly graph: ListedGraph;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

export function DeleteGraphDialog({ graph: { uri, size }, onClose, onDeleted }: DeleteGraphProps) {
  return (
    <DeleteDialog
      noun="graph"
      name={uri}
      readTag={(signal) => tagOf(uri, signal)}
      remove={async (tag) => {
        await client.graphs.delete(uri, { ifMatch: tag });
      }}
      onClose={onClose}
      onDeleted={onDeleted}
    >
      <p>Its {size.toLocaleString('en')} triples are removed from the server. This cannot be undone.</p>
    </DeleteDialog>
  );
}

/** Returns the entity tag of a graph. */
async function tagOf(uri: string, signal: AbortSignal): Promise<string> {
  const path = `context?graph=${encodeURIComponent(uri)}`;
  const { headers } = await requestServer(path, { method: 'HEAD', signal });
  return headers.get('ETag') ?? '*';
}
