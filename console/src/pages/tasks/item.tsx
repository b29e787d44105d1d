import { useId, useState } from 'preact/hooks';
import type { Task } from '../../../../src/library/client/entry.ts';
import { bytesText, durationText, numberText } from '../../components/units.ts';
import { TaskDetails } from './details.tsx';

interface TaskItemProps {
  readonly task: Task;
  /** Steps a second, if known. */
  readonly rate: number | undefined;
  /** The time of the server, in milliseconds since 1970. */
  readonly now: number;
  /** Undefined if tasks can't be cancelled here. */
  readonly onCancel: ((task: Task) => void) | undefined;
}

/** A task, with its details on demand. */
export function TaskItem({ task, rate, now, onCancel }: TaskItemProps) {
  const [isOpen, setOpen] = useState(false);
  const details = useId();
  const { name, state, message, started } = task;
  return (
    <li class={`task task-${state}`}>
      <div class="task-head">
        <button
          type="button"
          class="task-name"
          aria-expanded={isOpen}
          aria-controls={details}
          onClick={() => setOpen(!isOpen)}
        >
          {name}
        </button>
        <span class="task-message">{state === 'queued' ? 'waiting' : message}</span>
      </div>
      <TaskProgress task={task} rate={rate} now={now} />
      <span class="task-time number">{durationText(now - started)}</span>
      {onCancel && task.group !== 'default' && (
        <button type="button" class="danger" aria-label={`Cancel ${name}`} onClick={() => onCancel(task)}>
          Cancel
        </button>
      )}
      <div id={details} class="task-details" hidden={!isOpen}>
        {isOpen && <TaskDetails task={task} />}
      </div>
    </li>
  );
}

function TaskProgress({ task, rate, now }: Pick<TaskItemProps, 'task' | 'rate' | 'now'>) {
  const { name, state, progress, totalSteps, unit, eta } = task;
  if (state !== 'running') return <div class="task-progress" />;
  const isCounted = progress > 0 || totalSteps > 0;
  const texts = [
    isCounted && stepsText(task),
    rate !== undefined && rate > 0 && `${quantity(rate, unit)}/s`,
    eta !== null && eta > now && `${durationText(eta - now)} left`,
  ];
  return (
    <div class="task-progress">
      {totalSteps > 0 ? (
        <progress
          aria-label={`Progress of ${name}`}
          value={Math.min(progress, totalSteps)}
          max={totalSteps}
        />
      ) : (
        <progress aria-label={`Progress of ${name}`} />
      )}
      <span class="hint">{texts.filter(Boolean).join(' · ')}</span>
    </div>
  );
}

function stepsText({ progress, totalSteps, unit }: Task): string {
  const name = unit === null || unit === 'bytes' ? '' : ` ${unit}`;
  const done = quantity(progress, unit);
  if (totalSteps === 0) return `${done}${name}`;
  const percent = Math.floor((100 * progress) / totalSteps);
  return `${done} of ${quantity(totalSteps, unit)}${name} (${percent} %)`;
}

function quantity(steps: number, unit: string | null): string {
  return unit === 'bytes' ? bytesText(steps) : numberText(steps);
}
