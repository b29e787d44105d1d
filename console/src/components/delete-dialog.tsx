import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { PathpoolError } from '../../../src/library/client/entry.ts';
import { useLoaded } from '../app/wait.ts';
import { Confirmation } from './confirmation.tsx';

interface DeleteDialogProps {
  /** What is deleted, such as `graph`. */
  readonly noun: string;
  readonly name: string;
  /** Reads the entity tag of the state that the user sees. */
  readonly readTag: (signal: AbortSignal) => Promise<string>;
  /** Deletes it if it is in that state. */
  readonly remove: (tag: string) => Promise<void>;
  readonly onDeleted: () => void;
  readonly onClose: () => void;
  /** What that means. */
  readonly children: ComponentChildren;
}

/** Asks before it deletes something, and deletes it only in the state in which it was then. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { noun, name, readTag, remove, onDeleted, onClose, children } = props;
  const tag = useLoaded(readTag, [name]);
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const submit = async (known: string) => {
    setBusy(true);
    setError(undefined);
    try {
      await remove(known);
      onDeleted();
    } catch (reason) {
      setError(explained(reason, noun));
      setBusy(false);
    }
  };
  return (
    <Confirmation
      title={`Delete the ${noun}?`}
      action="Delete"
      disabled={isBusy || tag.value === undefined}
      error={error ?? tag.error}
      onConfirm={() => tag.value !== undefined && void submit(tag.value)}
      onClose={onClose}
    >
      <p class="iri">{name}</p>
      {children}
    </Confirmation>
  );
}

function explained(reason: unknown, noun: string): unknown {
  if (!(reason instanceof PathpoolError) || reason.status !== 412) return reason;
  return new Error(
    `The ${noun} was changed while this dialog was open, so it was not deleted. Close it and look at the ${noun} again.`,
  );
}
