import { useEffect, useState } from 'preact/hooks';
import { PathpoolError } from '../../../../src/library/client/entry.ts';
import { serverUrl } from '../../app/location.ts';
import { errorFrom } from '../../app/request.ts';
import { askForCredentials, onSessionChange, sessionHeaders } from '../../app/session.ts';
import { Problem } from '../../components/problem.tsx';

/** A setting in force, as `GET /settings` lists it. */
interface Setting {
  /** Empty if nothing is set. */
  readonly text: string;
  readonly unit?: 'bytes' | 'seconds' | 'hours';
  readonly source: 'default' | 'file' | 'environment' | 'flag' | 'program';
  /** The place in the file, the variable or the flag. */
  readonly at?: string;
  readonly explanation: string;
}

type Settings = Readonly<Record<string, Setting>>;

/** The settings of the server: first those that somebody has set. */
export function SettingsSection() {
  const [settings, setSettings] = useState<Settings>();
  const [error, setError] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => onSessionChange(() => setAttempt((count) => count + 1)), []);
  useEffect(() => {
    const controller = new AbortController();
    fetchSettings(controller.signal).then(
      (fetched) => {
        setSettings(fetched);
        setError(undefined);
      },
      (reason: unknown) => {
        if (!controller.signal.aborted) setError(reason);
      },
    );
    return () => controller.abort();
  }, [attempt]);
  return (
    <section aria-labelledby="settings-heading">
      <h2 id="settings-heading">Settings</h2>
      {settings && <SettingsTable settings={settings} />}
      {error !== undefined && <SettingsError error={error} />}
      {!settings && error === undefined && <p class="loading">Loading…</p>}
    </section>
  );
}

/**
 * The server shows its settings to users only, and other data perhaps to everybody. So this does
 * not ask for credentials, which would disturb readers who have none.
 */
async function fetchSettings(signal: AbortSignal): Promise<Settings> {
  const response = await fetch(new URL('settings', serverUrl), { headers: sessionHeaders(), signal });
  if (!response.ok) throw errorFrom(response.status, await response.text());
  return (await response.json()) as Settings;
}

function SettingsError({ error }: { readonly error: unknown }) {
  if (!(error instanceof PathpoolError && error.status === 401)) return <Problem error={error} />;
  const reason = 'The server shows its settings to users who have signed in.';
  return (
    <p>
      {reason}{' '}
      <button type="button" onClick={() => void askForCredentials(reason)}>
        Sign in to see settings
      </button>
    </p>
  );
}

function SettingsTable({ settings }: { readonly settings: Settings }) {
  const [filter, setFilter] = useState('');
  const words = filter.toLowerCase().split(/\s+/);
  const fitting = Object.entries(settings)
    .filter(([name, { text, explanation }]) => {
      const searched = `${name} ${text} ${explanation}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort(([, a], [, b]) => Number(a.source === 'default') - Number(b.source === 'default'));
  return (
    <>
      <label class="filter">
        Filter
        <input type="search" value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      </label>
      <p role="status" class="hint">
        {fitting.length} of {Object.keys(settings).length} settings
      </p>
      <table class="settings">
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">Set by</th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {fitting.map(([name, { text, unit, source, at, explanation }]) => (
            <tr key={name} class={source === 'default' ? 'is-default' : 'is-set'}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                {text === '' ? '–' : <code>{text}</code>}
                {unit && unit !== 'bytes' && text !== '' && ` ${unit}`}
              </td>
              <td>{source === 'default' ? 'default' : `${source}${at ? ` (${at})` : ''}`}</td>
              <td>{explanation}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
