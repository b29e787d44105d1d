import { type Logger, pino } from 'pino';

export type Log = Logger;

/** JSON lines on standard error. */
export function createLog(level: string): Log {
  return pino({ level, base: null }, pino.destination({ dest: 2, sync: true }));
}
