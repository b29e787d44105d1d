import { useEffect, useReducer, useState } from 'preact/hooks';
import { onSessionChange } from '../../app/session.ts';
import { useVisible } from '../../app/visibility.ts';
import { type FeedState, TaskFeed } from './feed.ts';
import { LiveTasks } from './live-tasks.ts';

/** Elapsed times are shown in seconds. */
const TICK_MS = 1000;

interface LiveTasksView {
  readonly tasks: LiveTasks;
  readonly feed: FeedState;
  readonly retry: () => void;
}

/** Follows the tasks of the server while the page is visible. */
export function useLiveTasks(): LiveTasksView {
  const [tasks] = useState(() => new LiveTasks());
  const [feed, setFeed] = useState<FeedState>({ kind: 'connecting' });
  const [attempt, retry] = useReducer<number, void>((count) => count + 1, 0);
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    const controller = new AbortController();
    const follow = new TaskFeed(tasks, (state) => {
      setFeed(state);
      update();
    });
    void follow.run(controller.signal);
    const timer = setInterval(update, TICK_MS);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [isVisible, attempt]);
  const isFinal = feed.kind === 'failed' && feed.isFinal;
  useEffect(() => (isFinal ? onSessionChange(() => retry()) : undefined), [isFinal]);
  return { tasks, feed, retry };
}
