import { closeSync, openSync } from 'node:fs';
import type { App } from '../app.ts';
import type { Log } from '../log.ts';
import { readCommandLine } from './command-line.ts';

/**
 * On SIGHUP reads the settings again and lets the server take over what it can. If the terminal
 * from which it was started is gone, the signal means that, and `close` is called.
 */
export function reloadOnHangup(starting: Promise<App>, log: Log, close: (app: App) => void): void {
  process.on('SIGHUP', () => {
    const isGone = terminalIsGone();
    const act = (app: App) => (isGone ? close(app) : reload(app, log));
    // The caller of `createApp` handles the error of a start.
    starting.then(act, () => {});
  });
}

async function reload(app: App, log: Log): Promise<void> {
  try {
    const request = readCommandLine(process.argv.slice(2), process.env);
    if (request.kind !== 'serve') throw new Error(request.kind === 'exit' ? request.text.trim() : '');
    const later = await app.reload(request.config);
    log.info({ event: 'reload' }, 'Credentials, certificates and the log level have been read again.');
    if (later.length > 0) {
      log.warn({ event: 'restart-needed', settings: later }, 'Changed settings need a restart.');
    }
  } catch (error) {
    const { message } = error as Error;
    log.error({ event: 'reload-failed', reason: message }, 'Nothing has been reloaded.');
  }
}

/** On Windows the signal always means that. */
function terminalIsGone(): boolean {
  if (process.platform === 'win32') return true;
  if (!process.stdin.isTTY) return false;
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
