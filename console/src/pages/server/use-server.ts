import { useEffect, useReducer, useState } from 'preact/hooks';
import { onSessionChange } from '../../app/session.ts';
import { useVisible } from '../../app/visibility.ts';
import { nothingKnown, type ServerView, ServerWatch } from './watch.ts';

/** Watches the server while the page is visible. `interval`: seconds between requests. */
export function useServer(interval: number): { readonly view: ServerView; readonly retry: () => void } {
  const [view, setView] = useState(nothingKnown);
  const [attempt, retry] = useReducer<number, void>((count) => count + 1, 0);
  const isVisible = useVisible();
  useEffect(() => {
    if (!isVisible) return undefined;
    const controller = new AbortController();
    void new ServerWatch(view, setView).run(interval, controller.signal);
    return () => controller.abort();
  }, [isVisible, interval, attempt]);
  useEffect(() => (view.isDenied ? onSessionChange(() => retry()) : undefined), [view.isDenied]);
  return { view, retry };
}
