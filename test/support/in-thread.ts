import { once } from 'node:events';
import type { Call } from './calling-thread.ts';
import { moduleUrl, startThread } from './project.ts';

/**
 * Calls a function that a module exports in a thread, and returns its result, which must be plain
 * data. node:test follows each promise in the thread of the test: without that, what makes millions
 * of them takes a third less time.
 */
export async function callInThread<T>(module: string, name: string, ...args: unknown[]): Promise<T> {
  const call: Call = { href: moduleUrl(module).href, name, args };
  const thread = startThread('test/support/calling-thread', { workerData: call });
  const [result] = (await once(thread, 'message')) as [T];
  await thread.terminate();
  return result;
}
