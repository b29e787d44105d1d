import type { Task } from '../../../../src/library/client/entry.ts';
import { TaskItem } from './item.tsx';
import type { LiveTasks } from './live-tasks.ts';

/** How tasks are arranged. */
export type Arrangement = 'group' | 'thread';

interface TaskListsProps {
  readonly tasks: LiveTasks;
  readonly by: Arrangement;
  readonly onCancel: ((task: Task) => void) | undefined;
}

/** The tasks that run or wait, in a list for each queue or thread. */
export function TaskLists({ tasks, by, onCancel }: TaskListsProps) {
  const { now } = tasks;
  const lists = by === 'group' ? listsByGroup(tasks) : listsByThread(tasks);
  if (lists.length === 0) return <p class="hint">No task runs or waits.</p>;
  return (
    <>
      {lists.map(([title, members]) => (
        <section key={title}>
          <h3>
            {title} <span class="hint">{members.length}</span>
          </h3>
          <ul class="task-list">
            {members.map((task) => (
              <TaskItem
                key={task.id}
                task={task}
                rate={tasks.rateOf(task.id)}
                now={now}
                onCancel={onCancel}
              />
            ))}
          </ul>
        </section>
      ))}
      {tasks.unlisted > 0 && <p class="hint">{tasks.unlisted} more tasks are not listed.</p>}
    </>
  );
}

type Lists = (readonly [title: string, members: readonly Task[]])[];

function listsByGroup({ tasks }: LiveTasks): Lists {
  const lists = new Map<string, Task[]>();
  for (const task of [...tasks.values()].sort(byState)) {
    const members = lists.get(task.group);
    if (members) members.push(task);
    else lists.set(task.group, [task]);
  }
  return [...lists].sort(([a], [b]) => a.localeCompare(b));
}

/** A batch is listed under `main`, and under each thread that computes a part of it now. */
function listsByThread({ tasks, lanes }: LiveTasks): Lists {
  const all = [...tasks.values()].sort(byState);
  const lists = [...lanes.values()].map(
    ({ thread, task: current }) =>
      [thread, all.filter((task) => task.thread === thread || task.id === current?.id)] as const,
  );
  const waiting = all.filter(({ state }) => state === 'queued');
  return [...lists, ['Waiting', waiting] as const].filter(([, members]) => members.length > 0);
}

/** Running tasks first, then the oldest ones. */
function byState(a: Task, b: Task): number {
  return Number(a.state === 'queued') - Number(b.state === 'queued') || a.started - b.started;
}
