import { constants } from 'node:os';

/** Signals that stop a server. */
export const STOPPING = ['SIGINT', 'SIGTERM'] as const;

/** SIGHUP tells a command that its terminal is gone. */
const ENDING = [...STOPPING, 'SIGHUP'] as const;

export type EndingSignal = (typeof ENDING)[number];

/** Returns the exit status that shells report for a process that a signal has ended. */
export function statusOf(signal: EndingSignal): number {
  return 128 + constants.signals[signal];
}

/** Calls `listener` for the first of the signals. Returns a function that stops listening. */
export function onSignal(
  signals: readonly EndingSignal[],
  listener: (signal: EndingSignal) => void,
): () => void {
  const stop = () => {
    for (const signal of signals) process.off(signal, first);
  };
  const first = (signal: EndingSignal) => {
    stop();
    listener(signal);
  };
  for (const signal of signals) process.on(signal, first);
  return stop;
}

/**
 * From now on, signals end the process through its `exit` listeners, which remove unfinished files
 * and restore the terminal. Linux would ignore them in the first process of a container. Returns a
 * function that restores their usual effect.
 */
export function exitOnSignals(signals: readonly EndingSignal[] = ENDING): () => void {
  return onSignal(signals, (signal) => {
    if (signal === 'SIGHUP') endByHangup();
    process.exit(statusOf(signal));
  });
}

/**
 * Makes SIGHUP end the process once its other `exit` listeners have run. Otherwise Node.js would
 * abort, because it cannot restore the settings of a terminal that is gone.
 */
export function endByHangup(): void {
  process.once('exit', () => {
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  });
}
