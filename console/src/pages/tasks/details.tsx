import type { Task } from '../../../../src/library/client/entry.ts';

/** The fields of a task that its line does not show. */
export function TaskDetails({ task }: { readonly task: Task }) {
  const { detailMessages, request, client, user, thread, group, id } = task;
  const details: [string, string | null][] = [
    ['Request', request],
    ['Client', client],
    ['User', user],
    ['Queue', group],
    ['Thread', thread],
    ...Object.entries(detailMessages),
    ['Began', timeText(task.started)],
    ['Last change', timeText(task.lastUpdate)],
    ['Id', id],
  ];
  return (
    <dl class="facts">
      {details.map(([name, value]) =>
        value === null || value === '' ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

function timeText(milliseconds: number): string {
  return new Date(milliseconds).toLocaleString();
}
