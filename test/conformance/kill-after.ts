import type { ChildProcess } from 'node:child_process';

/**
 * Kills a process that has not ended after so many milliseconds. The option `timeout` of `spawn`
 * does so too, but its timer goes on for a command that could not be started, and keeps the tests
 * from ending.
 */
export function killAfter(child: ChildProcess, milliseconds: number): void {
  const timer = setTimeout(() => child.kill('SIGKILL'), milliseconds);
  for (const end of ['exit', 'error']) child.once(end, () => clearTimeout(timer));
}
