import { useState } from 'preact/hooks';
import { addressOf, serverUrl } from '../../app/location.ts';
import { isSignedIn } from '../../app/session.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
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
    <Dialog title="Run this update?" onClose={onClose}>
      <p>
        It changes the data of the server, and cannot be undone. How many triples it changes is not known
        before it runs.
      </p>
      <div class="buttons">
        <button type="button" class="primary" onClick={onConfirm}>
          Run the update
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
    </Dialog>
  );
}

interface ShareDialogProps {
  readonly text: string;
  readonly onClose: () => void;
}

/** The text as a link to this page, and the same request as a command for a terminal. */
export function ShareDialog({ text, onClose }: ShareDialogProps) {
  const link = new URL(addressOf('sparql', {}, { query: text }), location.href).href;
  const command = commandFor(text);
  return (
    <Dialog title="Share" onClose={onClose}>
      <h3>Link to this page</h3>
      <input
        readOnly
        aria-label="Link"
        value={link}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />{' '}
      <CopyButton text={link} what="the link" />
      <h3>The same with curl</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse it scrolls only when focused */}
      <pre tabIndex={0}>{command}</pre>
      <CopyButton text={command} what="the command" />
      {isSignedIn() && (
        <p class="hint">
          Set AUTHORIZATION to the value of the header, such as “Bearer …”. Your credentials are not copied.
        </p>
      )}
    </Dialog>
  );
}

function commandFor(text: string): string {
  const kind = isUpdate(text) ? 'update' : 'query';
  return [
    `curl ${quoted(new URL(kind, serverUrl).href)}`,
    ...(isSignedIn() ? ['-H "Authorization: $AUTHORIZATION"'] : []),
    `-H ${quoted(`Content-Type: application/sparql-${kind}`)}`,
    // Unlike --data-binary it takes no text for the name of a file.
    `--data-raw ${quoted(text)}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
