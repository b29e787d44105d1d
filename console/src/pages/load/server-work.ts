import type { Task } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { pause } from '../../app/pause.ts';

/** Milliseconds between two looks at the tasks. */
const FIRST_DELAY = 250;
const MAX_DELAY = 2000;

interface WorkWatcher {
  readonly signal: AbortSignal;
  readonly onTask: (task: Task) => void;
}

/** Looks at the task of a request until the signal ends that. `mark`: part of the address. */
export async function watchTask(mark: string, { signal, onTask }: WorkWatcher): Promise<void> {
  for (let delay = FIRST_DELAY; !signal.aborted; delay = Math.min(MAX_DELAY, delay * 1.5)) {
    await pause(delay, signal);
    const task = await taskOf(mark, signal).catch(() => undefined);
    if (task && !signal.aborted) onTask(task);
  }
}

async function taskOf(mark: string, signal: AbortSignal): Promise<Task | undefined> {
  const groups = await client.tasks.list({ queued: true, signal });
  return Object.values(groups)
    .flat()
    .find(({ request }) => request?.includes(mark));
}
