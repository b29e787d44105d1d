import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Bytes of lines that may wait for a reader of standard error that is slow; what comes beyond is dropped. */
const MAX_WAITING = 8 * 1024 * 1024;

/**
 * JSON lines on standard error. Rare ones are written before the server goes on; with `info` and `debug` there are lines for each
 * request, which nobody is to wait for: these are written in the background, and at the latest when the process exits.
 */
export function createLog(level: string): Log {
  const isBusy = level === 'info' || level === 'debug';
  const options = { level, base: null };
  if (!isBusy) return pino(options, pino.destination({ dest: 2, sync: true }));
  const stream = pino.destination({ dest: 2, sync: false, maxLength: MAX_WAITING });
  const log = pino(options, stream);
  let dropped = 0;
  stream.on('drop', () => dropped++);
  stream.on('drain', () => {
    const lines = dropped;
    dropped = 0;
    if (lines > 0)
      log.warn({ event: 'log-dropped', lines }, 'Lines of the log were dropped: its reader is slow.');
  });
  return log;
}
