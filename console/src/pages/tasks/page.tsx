import { useEffect, useState } from 'preact/hooks';
import type { Task } from '../../../../src/library/client/entry.ts';
import { addressOf, replaceAddress, serverUrl, usePlace } from '../../app/location.ts';
import { sessionFetch } from '../../app/session.ts';
import { Tabs } from '../../components/tabs.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { EndedTasks } from './ended-tasks.tsx';
import { FeedStatus } from './feed-status.tsx';
import { type Arrangement, TaskLists } from './lists.tsx';
import { QueueTable } from './queue-table.tsx';
import { ThreadTable } from './thread-table.tsx';
import { useLiveTasks } from './use-live-tasks.ts';

const ARRANGEMENTS = [
  { name: 'group', title: 'By queue' },
  { name: 'thread', title: 'By thread' },
];

/** What the server is doing now. */
export function TasksPage() {
  const { state } = usePlace();
  const { tasks, feed, retry } = useLiveTasks();
  const [by, setBy] = useState(() => arrangementOf(state.get('by')));
  const [cancelling, setCancelling] = useState<Task>();
  const [notice, setNotice] = useState('');
  const canCancel = useCanCancel(feed.kind === 'live' || feed.kind === 'polling');
  const process = processOf(tasks.lanes.keys());
  const arrange = (name: string) => {
    setBy(arrangementOf(name));
    replaceAddress(addressOf('tasks', {}, name === 'thread' ? { by: name } : {}));
  };
  const close = (isCancelled: boolean) => {
    if (isCancelled && cancelling) setNotice(`${cancelling.name} is being cancelled.`);
    setCancelling(undefined);
  };
  return (
    <>
      <h1>Tasks</h1>
      <FeedStatus feed={feed} retry={retry} />
      {process !== undefined && feed.kind === 'live' && (
        <p class="hint">Shown are the tasks and threads of the process {process} of the cluster.</p>
      )}
      {!tasks.isEmpty && (
        <>
          <div class="task-overview">
            <section>
              <h2>Queues</h2>
              <QueueTable tasks={tasks} hasRates={feed.kind === 'live'} />
            </section>
            <section>
              <h2>Threads</h2>
              <ThreadTable tasks={tasks} />
            </section>
          </div>
          <h2>Running and waiting</h2>
          <p role="status" class="notice">
            {notice}
          </p>
          <Tabs label="Arrangement" tabs={ARRANGEMENTS} shown={by} onShow={arrange}>
            <TaskLists tasks={tasks} by={by} onCancel={canCancel ? setCancelling : undefined} />
          </Tabs>
          <EndedTasks ended={tasks.ended} />
        </>
      )}
      {cancelling && <CancelDialog task={cancelling} onClose={close} />}
    </>
  );
}

function arrangementOf(name: string | null): Arrangement {
  return name === 'thread' ? 'thread' : 'group';
}

/**
 * Whether the server cancels tasks at all: with `--keep-tasks` it has no DELETE. `isConnected`: the
 * server answers.
 */
function useCanCancel(isConnected: boolean): boolean {
  const [canCancel, setCanCancel] = useState(false);
  useEffect(() => {
    if (!isConnected) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    // The path is the same for all tasks, whether they exist or not.
    sessionFetch(new URL('tasks/default/any', serverUrl), { method: 'OPTIONS', signal }).then(
      ({ headers }) => setCanCancel(headers.get('Allow')?.includes('DELETE') ?? false),
      () => {},
    );
    return () => controller.abort();
  }, [isConnected]);
  return canCancel;
}

/** The process of a cluster to which the threads belong; undefined on a single server. */
function processOf(threads: Iterable<string>): string | undefined {
  for (const thread of threads) {
    const slash = thread.indexOf('/');
    if (slash > 0) return thread.slice(0, slash);
  }
  return undefined;
}
