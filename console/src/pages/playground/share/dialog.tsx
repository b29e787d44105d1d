import { serverUrl } from '../../../app/location.ts';
import { isSignedIn } from '../../../app/session.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { Dialog } from '../../../components/dialog.tsx';
import { fragmentOf, type PlaygroundState } from '../address-state.ts';
import { clientSnippet, curlCommand } from './snippets.ts';

interface ShareDialogProps {
  readonly state: PlaygroundState;
  readonly onClose: () => void;
}

/** The program and its start resources as a link, for a shell, and for a program. */
export function ShareDialog({ state, onClose }: ShareDialogProps) {
  const request = { ...state, server: serverUrl, hasCredentials: isSignedIn() };
  return (
    <Dialog title="Share" onClose={onClose}>
      <Snippet title="Link" what="the link" text={new URL(fragmentOf(state), location.href).href} />
      <Snippet title="curl" what="the command" text={curlCommand(request)} />
      <Snippet title="TypeScript" what="the module" text={clientSnippet(request)} />
      {request.hasCredentials && (
        <p class="hint">
          Set AUTHORIZATION to the value of the header, such as “Bearer …”. Your credentials are not copied.
        </p>
      )}
    </Dialog>
  );
}

interface SnippetProps {
  readonly title: string;
  readonly what: string;
  readonly text: string;
}

function Snippet({ title, what, text }: SnippetProps) {
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
