import type { EndedTask } from './live-tasks.ts';

/** The tasks that ended last, and how. */
export function EndedTasks({ ended }: { readonly ended: readonly EndedTask[] }) {
  if (ended.length === 0) return null;
  return (
    <section aria-labelledby="ended-heading">
      <h2 id="ended-heading">Ended</h2>
      <ul class="ended-tasks">
        {ended.map(({ id, name, group, outcome, time }) => (
          <li key={`${id} ${time}`}>
            <span class={`outcome outcome-${outcome ?? 'unknown'}`}>{outcome ?? 'ended'}</span>
            <span class="ended-name">{name}</span>
            <span class="hint">
              {group}, {new Date(time).toLocaleTimeString()}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
