import type { Task } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';

const INTERVAL_MS = 2000;
const LONGEST_MS = 30_000;

/** Who is told what the lists say. */
interface PollListener {
  readonly onTasks: (tasks: readonly Task[]) => void;
  readonly onThreads: (threads: Readonly<Record<string, readonly Task[]>>) => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Asks for the lists of tasks every two seconds, by turns by group and by thread: one request at a
 * time. Returns what ends that.
 */
export function pollTasks({ onTasks, onThreads, onError }: PollListener): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delay = INTERVAL_MS;
  const ask = async (turn: number) => {
    try {
      if (turn % 2 === 0) onTasks(Object.values(await client.tasks.list({ queued: true, signal })).flat());
      else onThreads(await client.tasks.byThread({ signal }));
      delay = INTERVAL_MS;
    } catch (error) {
      if (signal.aborted) return;
      delay = Math.min(LONGEST_MS, delay * 2);
      onError(error);
    }
    if (!signal.aborted) timer = setTimeout(() => void ask(turn + 1), delay);
  };
  void ask(0);
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}
