/** A thread that calls one function, and sends what that returns. See `in-thread.ts`. */
import { parentPort, workerData } from 'node:worker_threads';

export interface Call {
  /** The URL of the module. */
  readonly href: string;
  /** The name of the function. */
  readonly name: string;
  readonly args: readonly unknown[];
}

type Exports = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

const { href, name, args } = workerData as Call;
const exports = (await import(href)) as Exports;
parentPort?.postMessage(await exports[name]!(...args));
