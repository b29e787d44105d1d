import { useEffect, useState } from 'preact/hooks';
import { requestServer } from '../../app/request.ts';
import { Problem } from '../../components/problem.tsx';

/** A setting in force, as `GET /settings` lists it. */
interface Setting {
  readonly text: string;
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
  useEffect(() => {
    const controller = new AbortController();
    requestServer('settings', { signal: controller.signal })
      .then((response) => response.json() as Promise<Settings>)
      .then(setSettings, (reason: unknown) => {
        if (!controller.signal.aborted) setError(reason);
      });
    return () => controller.abort();
  }, []);
  return (
    <section aria-labelledby="settings-heading">
      <h2 id="settings-heading">Settings</h2>
      {error !== undefined && <Problem error={error} />}
      {settings ? (
        <SettingsTable settings={settings} />
      ) : (
        error === undefined && <p class="loading">Loading…</p>
      )}
    </section>
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
          {fitting.map(([name, { text, source, at, explanation }]) => (
            <tr key={name} class={source === 'default' ? 'is-default' : 'is-set'}>
              <th scope="row">
                <code>{name}</code>
              </th>
              <td>
                <code>{text}</code>
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
