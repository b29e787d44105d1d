import { before } from 'node:test';
import { type Scope, suiteScope } from './scope.ts';
import { type ServerProcess, startServer } from './server-process.ts';

type Args = readonly string[];

/**
 * A server that all cases of a `describe` share. It starts before the first case, so that only
 * cases can read its properties. By default it keeps its data in memory. A function makes what the
 * arguments name, such as a data directory. The environment is that of the tests, and more.
 */
export function sharedServer(
  args: Args | ((scope: Scope) => Promise<Args>) = ['--memory', '--threads', '2'],
  environment: Record<string, string> = {},
): Pick<ServerProcess, 'url' | 'process'> {
  const scope = suiteScope();
  let server: ServerProcess | undefined;
  before(async () => {
    server = await startServer(scope, typeof args === 'function' ? await args(scope) : args, environment);
  });
  const started = () => {
    if (!server) throw new Error('The server has not started yet.');
    return server;
  };
  return {
    get url() {
      return started().url;
    },
    get process() {
      return started().process;
    },
  };
}
