import { useState } from 'preact/hooks';
import type { Task } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { Confirmation } from '../../components/confirmation.tsx';

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
    <Confirmation
      title={`Cancel ${name}?`}
      action="Cancel the task"
      refusal="Let it run"
      disabled={isSent}
      error={error}
      onConfirm={() => void cancel()}
      onClose={() => onClose(false)}
    >
      <p>Its request ends with an error, and nothing that it would write is stored.</p>
    </Confirmation>
  );
}
