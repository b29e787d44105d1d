import { serverUrl } from '../../../app/location.ts';
import { isSignedIn } from '../../../app/session.ts';
import { Dialog } from '../../../components/dialog.tsx';
import { CredentialsHint, Snippet } from '../../../components/snippet.tsx';
import { fragmentOf, type PlaygroundState } from '../address-state.ts';
import { clientSnippet, commandFor } from './snippets.ts';

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
      <Snippet title="curl" what="the command" text={commandFor(request)} />
      <Snippet title="TypeScript" what="the module" text={clientSnippet(request)} />
      <CredentialsHint />
    </Dialog>
  );
}
