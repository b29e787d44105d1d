import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export type EndingSignal = (typeof SIGNALS)[number];

/** Returns the exit status that shells report for a process that a signal has ended. */
export function statusOf(signal: EndingSignal): number {
  return 128 + constants.signals[signal];
}

/** Calls `listener` for the first signal to end. Returns a function that stops listening. */
export function onSignal(listener: (signal: EndingSignal) => void): () => void {
  const stop = () => {
    for (const signal of SIGNALS) process.off(signal, first);
  };
  const first = (signal: EndingSignal) => {
    stop();
    listener(signal);
  };
  for (const signal of SIGNALS) process.on(signal, first);
  return stop;
}

/**
 * From now on, signals end the process through its `exit` listeners, which remove unfinished files
 * and restore the terminal. Linux would ignore them in the first process of a container. Returns a
 * function that restores their usual effect.
 */
export function exitOnSignals(): () => void {
  return onSignal((signal) => process.exit(statusOf(signal)));
}
