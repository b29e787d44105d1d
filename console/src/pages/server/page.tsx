import { useState } from 'preact/hooks';
import { addressOf, replaceAddress, usePlace } from '../../app/location.ts';
import { Problem } from '../../components/problem.tsx';
import { HealthSection } from './health-section.tsx';
import { LinksSection } from './links-section.tsx';
import { MetricsSection } from './metrics-section.tsx';
import { SettingsSection } from './settings-section.tsx';
import { useServer } from './use-server.ts';

/** Seconds between requests. */
const INTERVALS = [2, 5, 10, 30];
/** Seconds that the plots show. */
const RANGES = [60, 300, 900, 3600];

/** How the server is. */
export function ServerPage() {
  const { state } = usePlace();
  const [interval, setInterval] = useState(() => oneOf(INTERVALS, state.get('interval'), 2));
  const [shown, setShown] = useState(() => oneOf(RANGES, state.get('shown'), 300));
  const { view, retry } = useServer(interval);
  const remember = (changed: Record<string, string>) => {
    const all = { interval: String(interval), shown: String(shown), ...changed };
    replaceAddress(addressOf('server', {}, all));
  };
  return (
    <>
      <h1>Server</h1>
      {view.error !== undefined && (
        <>
          <Problem error={view.error} />
          {view.isDenied && (
            <button type="button" onClick={() => retry()}>
              Try again
            </button>
          )}
        </>
      )}
      <HealthSection view={view} />
      <MetricsSection state={view.metrics} shown={shown}>
        <label>
          Ask every
          <select
            value={interval}
            onChange={({ currentTarget: { value } }) => {
              setInterval(Number(value));
              remember({ interval: value });
            }}
          >
            {INTERVALS.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds} s
              </option>
            ))}
          </select>
        </label>
        <label>
          Show the last
          <select
            value={shown}
            onChange={({ currentTarget: { value } }) => {
              setShown(Number(value));
              remember({ shown: value });
            }}
          >
            {RANGES.map((seconds) => (
              <option key={seconds} value={seconds}>
                {seconds / 60} min
              </option>
            ))}
          </select>
        </label>
      </MetricsSection>
      <SettingsSection />
      <LinksSection />
    </>
  );
}

function oneOf(choices: readonly number[], text: string | null, fallback: number): number {
  return choices.find((choice) => String(choice) === text) ?? fallback;
}
