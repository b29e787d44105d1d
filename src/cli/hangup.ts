import { closeSync, openSync } from 'node:fs';
import { isatty } from 'node:tty';
import type { App } from '../app.ts';
import { settings } from '../config.ts';
import type { Log } from '../log.ts';
import { readCommandLine } from './command-line.ts';
import { endByHangup } from './signals.ts';

/**
 * On SIGHUP reads the settings again and lets the server take over what it can. If the terminal
 * from which it was started is gone, the signal means that, and `close` is called. On Windows it
 * always means that.
 */
export function reloadOnHangup(starting: Promise<App>, log: Log, close: (app: App) => void): void {
  // Asked for now, since a terminal that is gone no longer counts as one.
  const hasTerminal = isatty(0);
  const logsToTerminal = isatty(2);
  let isGone = false;
  process.on('SIGHUP', () => {
    if (!isGone && hasTerminal && terminalIsGone()) {
      isGone = true;
      endByHangup();
      // The library would try for ever to write to the terminal, and the process would not end.
      if (logsToTerminal) log.level = 'silent';
    }
    const act = (app: App) => (isGone || process.platform === 'win32' ? close(app) : reload(app, log));
    // The caller of `createApp` handles the error of a start.
    starting.then(act, () => {});
  });
}

async function reload(app: App, log: Log): Promise<void> {
  try {
    const request = readCommandLine(process.argv.slice(2), process.env);
    if (request.kind !== 'serve') throw new Error(request.kind === 'exit' ? request.text.trim() : '');
    const later = await app.reload(request.config, request.settings);
    log.info({ event: 'reload' }, 'Credentials, rules, certificates and the log level have been read again.');
    if (later.length > 0) {
      const flags = later.map((name) => `--${settings[name].flag}`);
      log.warn({ event: 'restart-needed', settings: flags }, 'Changed settings need a restart.');
    }
  } catch (error) {
    const { message } = error as Error;
    log.error({ event: 'reload-failed', reason: message }, 'Nothing has been reloaded.');
  }
}

function terminalIsGone(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return false;
  } catch {
    return true;
  }
}
