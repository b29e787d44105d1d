/** `pathpool`: a server in a program. */
import { type App, createApp } from '../../app.ts';
import { toErrorData } from '../../errors.ts';
import { createLog } from '../../log.ts';
import { readVersion } from '../../version.ts';
import { checkedConfig, type ServerOptions } from './checked-options.ts';
import { ServerError } from './reported-error.ts';

export { ServerError, type ServerOptions };

export interface Server {
  /** The address that it listens on, without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** The base of all URIs that the server mints. */
  readonly base: string;
  /**
   * Reads the files of credentials, keys of tokens and certificates again, and takes over changed
   * options where a running server can; connections go on. Options that are left out stay as they
   * are. Returns the names of changed options that need a new server. Rejects with a `ServerError`
   * if anything is wrong; then nothing has changed.
   */
  reload(changes?: ServerOptions): Promise<readonly (keyof ServerOptions)[]>;
  /**
   * Stops accepting requests, lets running ones end within ten seconds, syncs the data, and
   * releases the data directory. Nothing of the server keeps the process alive after that. Further
   * calls return the same promise. Rejects with a `ServerError` if parts could not be closed.
   */
  close(): Promise<void>;
}

/** The version of Pathpool. */
export const version: string = readVersion();

/**
 * Starts a server. It installs no handlers of signals, never exits the process, and reads neither
 * the environment nor the command line. A process may have several, each with its own data
 * directory.
 *
 * @throws ServerError
 */
export async function createServer(options: ServerOptions = {}): Promise<Server> {
  const config = checkedConfig(options);
  const app = await createApp(config, { log: createLog(config.logLevel) }).catch(failedToStart);
  const { reload, close } = lifeOf(app, options);
  const port = Number(app.url.slice(app.url.lastIndexOf(':') + 1));
  return { url: app.url, port, base: app.base, reload, close };
}

/** `options`: those with which the app was created. */
function lifeOf(app: App, options: ServerOptions): Pick<Server, 'reload' | 'close'> {
  let inForce = options;
  let closed: Promise<void> | undefined;
  let lastReload: Promise<unknown> = Promise.resolve();
  const apply = async (changes: ServerOptions) => {
    const next = { ...inForce, ...changes };
    const later = await app.reload(checkedConfig(next)).catch(failedToReload);
    inForce = next;
    return later;
  };
  return {
    reload: async (changes = {}) => {
      if (closed) throw new ServerError('reload-failed', 'The server is closed.');
      const done = lastReload.then(() => apply(changes));
      // The caller gets the error.
      lastReload = done.catch(() => {});
      return done;
    },
    close: () => {
      closed ??= lastReload.then(() => app.close()).catch(failedToClose);
      return closed;
    },
  };
}

function failedToStart(cause: unknown): never {
  const { code, message } = toErrorData(cause);
  throw new ServerError(code === 'internal' ? 'start-failed' : code, message, cause);
}

function failedToReload(cause: unknown): never {
  throw new ServerError('reload-failed', toErrorData(cause).message, cause);
}

function failedToClose(cause: unknown): never {
  throw new ServerError('close-failed', toErrorData(cause).message, cause);
}
