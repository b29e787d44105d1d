import { type Dispatch, type StateUpdater, useEffect, useState } from 'preact/hooks';

/** What a request has brought so far. */
interface Loaded<T> {
  readonly value: T | undefined;
  readonly error: unknown;
  /** Changes the value, such as to add a page to it. */
  readonly setValue: Dispatch<StateUpdater<T | undefined>>;
}

/** Loads a value, and again when one of the inputs changes; what is under way then is aborted. */
export function useLoaded<T>(
  load: (signal: AbortSignal) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [value, setValue] = useState<T>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    setError(undefined);
    load(controller.signal).then(
      (loaded) => {
        if (!controller.signal.aborted) setValue(() => loaded);
      },
      (reason: unknown) => {
        if (!controller.signal.aborted) setError(reason);
      },
    );
    return () => controller.abort();
  }, inputs);
  return { value, error, setValue };
}
