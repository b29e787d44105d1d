import { useState } from 'preact/hooks';
import { curlCommand } from '../../app/curl.ts';
import { addressOf, serverUrl } from '../../app/location.ts';
import { isSignedIn } from '../../app/session.ts';
import { Confirmation } from '../../components/confirmation.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { CredentialsHint, Snippet } from '../../components/snippet.tsx';
import { forgetRuns, pastRuns } from './history.ts';
import { isUpdate } from './prologue.ts';

interface HistoryDialogProps {
  readonly onChoose: (text: string) => void;
  readonly onClose: () => void;
}

export function HistoryDialog({ onChoose, onClose }: HistoryDialogProps) {
  const [runs, setRuns] = useState(pastRuns);
  const forget = () => {
    forgetRuns();
    setRuns([]);
  };
  return (
    <Dialog title="History" onClose={onClose}>
      {runs.length === 0 ? (
        <p>Queries and updates that you run are kept here, in this browser.</p>
      ) : (
        <>
          <ul class="past-runs">
            {runs.map(({ text, time }) => (
              <li key={text}>
                <button type="button" onClick={() => onChoose(text)}>
                  <code>{withoutPrefixes(text)}</code>
                  <span class="hint">{new Date(time).toLocaleString()}</span>
                </button>
              </li>
            ))}
          </ul>
          <div class="buttons">
            <button type="button" class="danger" onClick={forget}>
              Forget all
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

const MAX_SHOWN = 300;

function withoutPrefixes(text: string): string {
  return text
    .replace(/^\s*PREFIX\s+\S+\s*<[^>]*>[ \t]*\n?/gim, '')
    .trim()
    .slice(0, MAX_SHOWN);
}

interface ConfirmationProps {
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before an update: it cannot be undone. */
export function UpdateConfirmation({ onConfirm, onClose }: ConfirmationProps) {
  return (
    <Confirmation title="Run this update?" action="Run the update" onConfirm={onConfirm} onClose={onClose}>
      <p>
        It changes the data of the server, and cannot be undone. How many triples it changes is not known
        before it runs.
      </p>
    </Confirmation>
  );
}

interface ShareDialogProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** The text as a link to this page, and the same request as a command for a terminal. */
export function ShareDialog({ text, onClose }: ShareDialogProps) {
  const link = new URL(addressOf('sparql', {}, { query: text }), location.href).href;
  return (
    <Dialog title="Share" onClose={onClose}>
      <Snippet title="Link" what="the link" text={link} />
      <Snippet title="curl" what="the command" text={commandFor(text)} />
      <CredentialsHint />
    </Dialog>
  );
}

function commandFor(text: string): string {
  const kind = isUpdate(text) ? 'update' : 'query';
  return curlCommand(new URL(kind, serverUrl).href, {
    type: `application/sparql-${kind}`,
    text,
    hasCredentials: isSignedIn(),
  });
}
