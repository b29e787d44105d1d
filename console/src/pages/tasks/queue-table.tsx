import { numberText } from '../../components/units.ts';
import type { LiveTasks } from './live-tasks.ts';

interface QueueTableProps {
  readonly tasks: LiveTasks;
  /** Whether every task is counted, however short; polling misses most of them. */
  readonly hasRates: boolean;
}

/** How many tasks of each group run, wait, come and go. */
export function QueueTable({ tasks, hasRates }: QueueTableProps) {
  const groups = [...tasks.groups].sort(([a], [b]) => a.localeCompare(b));
  if (groups.length === 0) return <p class="hint">Nothing has run since this page was opened.</p>;
  const { now } = tasks;
  return (
    <table class="queues">
      <thead>
        <tr>
          <th scope="col">Queue</th>
          {['Running', 'Waiting', 'Begun/s', 'Ended/s'].map((title) => (
            <th key={title} scope="col" class="number">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {groups.map(([group, counts]) => {
          const { begun, ended } = counts.rates(now);
          return (
            <tr key={group}>
              <th scope="row">{group}</th>
              <td class="number">{numberText(counts.running)}</td>
              <td class="number">{numberText(counts.queued)}</td>
              <td class="number">{hasRates ? numberText(begun) : '–'}</td>
              <td class="number">{hasRates ? numberText(ended) : '–'}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
