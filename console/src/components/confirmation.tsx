import type { ComponentChildren } from 'preact';
import { Dialog } from './dialog.tsx';
import { Problem } from './problem.tsx';

interface ConfirmationProps {
  /** The question. */
  readonly title: string;
  /** What the user confirms, as the text of a button. */
  readonly action: string;
  /** The other button. */
  readonly refusal?: string;
  /** Whether the action cannot be confirmed yet, or has been. */
  readonly disabled?: boolean;
  /** Why it failed. */
  readonly error?: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
  /** What will happen. */
  readonly children: ComponentChildren;
}

/** Asks before something that cannot be undone. */
export function Confirmation(props: ConfirmationProps) {
  const { title, action, refusal = 'Cancel', disabled = false, error, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      {error !== undefined && <Problem error={error} />}
      <div class="buttons">
        <button type="button" class="danger" disabled={disabled} onClick={onConfirm}>
          {action}
        </button>
        <button type="button" onClick={onClose}>
          {refusal}
        </button>
      </div>
    </Dialog>
  );
}
