import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { PathpoolError, type TracedResult } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import type { PlaygroundState } from './address-state.ts';

/** What the evaluation for one start resource led to. */
export interface Outcome {
  readonly start: string;
  readonly traced?: TracedResult;
  readonly error?: unknown;
}

export interface Evaluation {
  readonly outcomes: readonly Outcome[];
  /** What is wrong with the program, so that there are no outcomes. */
  readonly error?: unknown;
  /** From the request to the last response. */
  readonly milliseconds: number;
}

interface Evaluator {
  /** Undefined before the first run. */
  readonly evaluation: Evaluation | undefined;
  readonly isRunning: boolean;
  readonly run: (state: PlaygroundState) => void;
  readonly cancel: () => void;
}

/** Evaluates programs, one after another: a new run cancels the one before it. */
export function useEvaluator(): Evaluator {
  const [evaluation, setEvaluation] = useState<Evaluation>();
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setRunning(false);
  }, []);
  const run = useCallback((state: PlaygroundState) => {
    cancel();
    const abort = new AbortController();
    running.current = abort;
    setRunning(true);
    void evaluate(state, abort.signal).then((result) => {
      if (running.current !== abort) return;
      setEvaluation(result);
      setRunning(false);
    });
  }, []);
  useEffect(() => () => running.current?.abort(), []);
  return { evaluation, isRunning, run, cancel };
}

async function evaluate({ program, starts }: PlaygroundState, signal: AbortSignal): Promise<Evaluation> {
  const began = performance.now();
  const outcomes = await Promise.all(starts.map((start) => outcomeOf(program, start, signal)));
  const milliseconds = performance.now() - began;
  const error = outcomes.map((each) => each.error).find(isAboutProgram);
  return error === undefined ? { outcomes, milliseconds } : { outcomes: [], error, milliseconds };
}

async function outcomeOf(program: string, start: string, signal: AbortSignal): Promise<Outcome> {
  try {
    return { start, traced: await client.ldpath.trace(program, start, { signal }) };
  } catch (error) {
    return { start, error };
  }
}

/** Otherwise it is about one start resource, such as one that does not exist. */
function isAboutProgram(error: unknown): boolean {
  if (error instanceof PathpoolError) return error.problem.source === 'program';
  return error !== undefined;
}
