import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** The user pressed Escape, or the button in the corner. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** The element with the focus, in an editor too. */
function focusedElement(): HTMLElement | undefined {
  const { activeElement } = document;
  const focused = activeElement?.shadowRoot?.activeElement ?? activeElement;
  return focused instanceof HTMLElement ? focused : undefined;
}

/** A modal dialog, which is open as long as it is rendered. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const dialog = element.current!;
    const opener = focusedElement();
    dialog.showModal();
    return () => {
      // Elements outside of an open dialog take no focus.
      dialog.close();
      opener?.focus();
    };
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <div class="dialog-head">
        <h2 id={heading}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={onClose}>
          ✕
        </button>
      </div>
      {children}
    </dialog>
  );
}
