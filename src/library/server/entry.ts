/** `pathpool`: a server in a program. */
import { createApp } from '../../app.ts';
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
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= app.close().catch(failedToClose);
    return closed;
  };
  const port = Number(app.url.slice(app.url.lastIndexOf(':') + 1));
  return { url: app.url, port, base: app.base, close };
}

function failedToStart(cause: unknown): never {
  const { code, message } = toErrorData(cause);
  throw new ServerError(code === 'internal' ? 'start-failed' : code, message, cause);
}

function failedToClose(cause: unknown): never {
  throw new ServerError('close-failed', toErrorData(cause).message, cause);
}
