import { useEffect, useState } from 'preact/hooks';
import { client } from '../../app/client.ts';
import { Problem } from '../../components/problem.tsx';

interface WatchButtonProps {
  readonly uri: string;
  /** The resource has changed. */
  readonly onChange: () => void;
}

/** Follows the changes of a resource while it is pressed. */
export function WatchButton({ uri, onChange }: WatchButtonProps) {
  const [isOn, setOn] = useState(false);
  const [status, setStatus] = useState('');
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    if (!isOn) return;
    const controller = new AbortController();
    const { signal } = controller;
    const onLost = () => setStatus('The connection was lost. Connecting again…');
    const follow = async () => {
      for await (const item of client.changes.followResource(uri, { signal, onLost })) {
        if ('added' in item) {
          const { time, added, removed, deleted } = item;
          const at = new Date(time).toLocaleTimeString();
          setStatus(`${deleted ? 'Removed' : 'Changed'} at ${at}: ${added} added, ${removed} removed.`);
          onChange();
        } else setStatus((before) => before || 'Watching for changes.');
      }
    };
    follow().catch((reason: unknown) => {
      if (signal.aborted) return;
      setError(reason);
      setOn(false);
    });
    return () => controller.abort();
  }, [isOn, uri]);
  const toggle = () => {
    setError(undefined);
    setStatus('');
    setOn(!isOn);
  };
  return (
    <>
      <button type="button" aria-pressed={isOn} onClick={toggle}>
        Watch
      </button>
      <span role="status" class="hint">
        {isOn && status}
      </span>
      {error !== undefined && <Problem error={error} />}
    </>
  );
}
