import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { execute as executeText, type Result } from './execution.ts';

/** The query or update that was run last. */
type Execution =
  | { readonly state: 'none' | 'running' | 'cancelled' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'done';
      readonly result: Result;
      readonly query: string;
      readonly milliseconds: number;
      /** Differs for each run. */
      readonly run: number;
    };

interface ExecutionControl {
  readonly execution: Execution;
  /** Runs a text, in the place of the one that is running. Resolves with its error, if it fails. */
  readonly execute: (query: string) => Promise<unknown>;
  readonly cancel: () => void;
}

export function useExecution(): ExecutionControl {
  const [execution, setExecution] = useState<Execution>({ state: 'none' });
  const controller = useRef<AbortController>(null);
  const runs = useRef(0);
  const execute = useCallback(async (query: string) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    const run = ++runs.current;
    const begin = performance.now();
    setExecution({ state: 'running' });
    try {
      const result = await executeText(query, own.signal);
      if (run !== runs.current) return undefined;
      setExecution({ state: 'done', result, query, milliseconds: performance.now() - begin, run });
      return undefined;
    } catch (error) {
      if (run !== runs.current) return undefined;
      if (own.signal.aborted) setExecution({ state: 'cancelled' });
      else setExecution({ state: 'failed', error });
      return own.signal.aborted ? undefined : error;
    }
  }, []);
  const cancel = useCallback(() => controller.current?.abort(), []);
  useEffect(() => () => controller.current?.abort(), []);
  return { execution, execute, cancel };
}
