import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers. */
  readonly what: string;
}

/** Milliseconds for which the button says what happened. */
const SHOWN = 2000;

/** Copies a text to the clipboard, and says whether that worked. */
export function CopyButton({ text, what }: CopyButtonProps) {
  const [message, setMessage] = useState<string>();
  useEffect(() => {
    if (message === undefined) return;
    const timer = setTimeout(() => setMessage(undefined), SHOWN);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () => {
    // Pages without TLS have no clipboard, except on loopback.
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    written.then(
      () => setMessage('Copied'),
      () => setMessage('The browser does not allow it'),
    );
  };
  return (
    <span>
      <button type="button" onClick={copy}>
        Copy <span class="visually-hidden">{what}</span>
      </button>{' '}
      <span class="hint" role="status">
        {message}
      </span>
    </span>
  );
}
