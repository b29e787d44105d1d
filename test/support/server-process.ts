import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { flagsOfFirstLine } from '../../bench/measure/entry-file.ts';
import { checkResponsesOf } from './description-check.ts';
import { isCompiled, projectRoot } from './project.ts';
import type { Scope } from './scope.ts';

/**
 * The compiled server, which starts faster, or the source if it has changed since; with the flags
 * that users have.
 */
const entry = [
  ...flagsOfFirstLine(join(projectRoot, 'src/main.ts')),
  ...(isCompiled || isBuilt() ? ['dist/src/main.js'] : ['--import', 'tsx', 'src/main.ts']),
];

function isBuilt(): boolean {
  const built = changed('dist/.tsbuildinfo');
  const sources = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(folder, file),
    ),
  );
  return sources.every((file) => changed(file) < built);
}

/** Milliseconds since 1970; 0 for a file that is not there. */
function changed(file: string): number {
  return statSync(join(projectRoot, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The base of servers under test, so that their stored data do not depend on the port. */
export const BASE = 'http://pathpool.test';

export interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command line to its end. */
export async function runPathpool(
  args: readonly string[],
  environment: Record<string, string> = {},
  input = '',
): Promise<Ended> {
  const child = start(args, environment);
  child.stdin?.end(input);
  const texts = { out: '', err: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.err += text;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...texts };
}

/** A real server in a process of its own. */
export interface ServerProcess {
  /**
   * `http://127.0.0.1:port` (`https` with TLS). URIs that the server creates begin with `BASE`
   * instead.
   */
  readonly url: string;
  readonly readyLine: string;
  readonly process: ChildProcess;
  /** What it has written to standard error so far. */
  readonly errors: string;
  /** Ends it by a signal; its exit status, or null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends it by SIGKILL; fails if it had ended by itself before. */
  kill(): Promise<void>;
}

/**
 * Starts a server and waits until it is ready. The end of the scope terminates it at the latest.
 * Without a base, its own address is its base. `prefix`: a command that runs the one behind it.
 */
export async function startServer(
  scope: Scope,
  args: readonly string[],
  environment: Record<string, string> = {},
  base: string | null = BASE,
  prefix: readonly string[] = [],
): Promise<ServerProcess> {
  const baseArgs = base === null ? [] : ['--base', base];
  const child = spawnPathpool(scope, ['--port', '0', ...baseArgs, ...args], environment, prefix);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'exit').then(([status]) => status as number | null);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const line = await Promise.race([once(lines, 'line').then(([text]) => text as string), ended]);
  if (typeof line !== 'string') throw new Error(`The server ended with ${line}: ${errors}`);
  const url = /https?:\/\/\S+/.exec(line)?.[0] ?? '';
  checkResponsesOf(url, baseOf(args, environment) ?? base ?? url);
  return {
    url,
    readyLine: line,
    process: child,
    get errors() {
      return errors;
    },
    async end(signal) {
      child.kill(signal);
      const status = await ended;
      const by = child.signalCode;
      if (status === null) assert.equal(by, signal, `The server was ended by ${by}: ${errors}`);
      return status;
    },
    async kill() {
      child.kill('SIGKILL');
      const status = await ended;
      assert.equal(child.signalCode, 'SIGKILL', `The server ended by itself with ${status}: ${errors}`);
    },
  };
}

/** The base that the settings name. */
function baseOf(args: readonly string[], environment: Record<string, string>): string | undefined {
  return args[args.lastIndexOf('--base') + 1 || args.length] ?? environment['PATHPOOL_BASE'];
}

/** The command without arguments, to be run in `projectRoot`. */
export const pathpoolCommand: readonly string[] = [process.execPath, ...entry];

/** Starts the command line. The end of the scope terminates it at the latest. */
export function spawnPathpool(
  scope: Scope,
  args: readonly string[],
  environment: Record<string, string> = {},
  prefix: readonly string[] = [],
): ChildProcess {
  const child = start(args, environment, prefix);
  scope.after(() => child.kill('SIGKILL'));
  return child;
}

function start(
  args: readonly string[],
  environment: Record<string, string>,
  prefix: readonly string[] = [],
): ChildProcess {
  const [command = '', ...rest] = [...prefix, ...pathpoolCommand, ...args];
  return spawn(command, rest, {
    cwd: projectRoot,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}
