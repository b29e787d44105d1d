import { isSignedIn } from '../app/session.ts';
import { CopyButton } from './copy-button.tsx';

interface SnippetProps {
  readonly title: string;
  readonly what: string;
  readonly text: string;
}

/** A text for another program, to copy. */
export function Snippet({ title, what, text }: SnippetProps) {
  return (
    <section class="snippet" aria-label={title}>
      <div class="snippet-head">
        <h3>{title}</h3>
        <CopyButton text={text} what={what} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused */}
      <pre tabIndex={0}>{text}</pre>
    </section>
  );
}

/** Explains what commands and modules do with credentials; empty without them. */
export function CredentialsHint() {
  if (!isSignedIn()) return null;
  return (
    <p class="hint">
      Set AUTHORIZATION to the value of the header, such as “Bearer …”. Your credentials are not copied.
    </p>
  );
}
