import { useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { useLoaded } from '../../app/wait.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { readHead, remove } from './requests.ts';

interface DeleteDialogProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
}

/** Asks before it deletes a resource, and deletes it only in the state in which it was then. */
export function DeleteDialog({ path, onClose, onDeleted }: DeleteDialogProps) {
  const head = useLoaded((signal) => readHead(path, signal), [path]);
  const [error, setError] = useState<unknown>();
  const submit = async (tag: string) => {
    try {
      await remove(path, tag);
      onDeleted();
    } catch (reason) {
      setError(explained(reason));
    }
  };
  const tag = head.value?.tag;
  const problem = error ?? head.error;
  return (
    <Dialog title="Delete the resource?" onClose={onClose}>
      <p class="iri">{path}</p>
      <p>It is removed from its container. This cannot be undone, and its name is never used again.</p>
      {problem !== undefined && <Problem error={problem} />}
      <div class="buttons">
        <button
          type="button"
          class="danger"
          disabled={tag === undefined}
          onClick={() => tag !== undefined && void submit(tag)}
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

function explained(reason: unknown): unknown {
  if (!(reason instanceof PathpoolError) || reason.status !== 412) return reason;
  return new Error(
    'The resource was changed while this dialog was open, so it was not deleted. Close it and look at the resource again.',
  );
}
