import { type Logger, pino } from 'pino';

export type Log = Logger;

/**
 * Maximum bytes that are buffered for a slow reader of standard error. Beyond that, lines are
 * dropped.
 */
const MAX_WAITING = 8 * 1024 * 1024;

/**
 * Returns a log that writes JSON lines to standard error. Up to level `warn`, lines are rare and
 * written at once. From `info` on there are lines for each request: these are written in the
 * background and flushed at exit, so that a slow reader does not delay requests. The level may be
 * changed. Once lines have been written in the background, all are, so that they stay in order.
 */
export function createLog(level: string): Log {
  const atOnce = pino.destination({ dest: 2, sync: true });
  let background: ReturnType<typeof openBackground> | undefined;
  const write = (line: string) => {
    if (log.isLevelEnabled('info')) background ??= openBackground(log);
    (background ?? atOnce).write(line);
  };
  const log: Log = pino({ level, base: null }, { write });
  return log;
}

function openBackground(log: Log) {
  const stream = pino.destination({ dest: 2, sync: false, maxLength: MAX_WAITING });
  let dropped = 0;
  stream.on('drop', () => dropped++);
  stream.on('drain', () => {
    const lines = dropped;
    dropped = 0;
    if (lines > 0)
      log.warn({ event: 'log-dropped', lines }, 'Log lines were dropped because their reader is slow.');
  });
  return stream;
}
