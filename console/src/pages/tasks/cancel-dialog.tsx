import { useState } from 'preact/hooks';
import type { Task } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { Dialog } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';

interface CancelDialogProps {
  readonly task: Task;
  /** `isCancelled`: the server has agreed. */
  readonly onClose: (isCancelled: boolean) => void;
}

/** Asks before a task is cancelled: tasks move in the list while the user aims. */
export function CancelDialog({ task: { group, name }, onClose }: CancelDialogProps) {
  const [isSent, setSent] = useState(false);
  const [error, setError] = useState<unknown>();
  const cancel = async () => {
    setSent(true);
    try {
      await client.tasks.cancel(group, name);
      onClose(true);
    } catch (reason) {
      setError(reason);
      setSent(false);
    }
  };
  return (
    <Dialog title={`Cancel ${name}?`} onClose={() => onClose(false)}>
      <p>Its request ends with an error, and nothing that it would write is stored.</p>
      {error !== undefined && <Problem error={error} />}
      <div class="buttons">
        <button type="button" class="danger" disabled={isSent} onClick={() => void cancel()}>
          Cancel the task
        </button>
        <button type="button" onClick={() => onClose(false)}>
          Let it run
        </button>
      </div>
    </Dialog>
  );
}
