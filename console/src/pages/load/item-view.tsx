import type { Task } from '../../../../src/library/client/entry.ts';
import { addressOf } from '../../app/location.ts';
import { FormatSelect } from '../../components/format-select.tsx';
import { Failure } from './failure.tsx';
import { formats } from './formats.ts';
import { type Progress, type QueueItem, queue } from './queue.ts';
import { countOf } from './target-form.tsx';

/** A file of the queue: its format, and how far it is. */
export function ItemView({ item }: { readonly item: QueueItem }) {
  const { id, name, data, type, isGzip, progress } = item;
  const isBusy = progress.step === 'sending' || progress.step === 'working';
  const canRepeat = progress.step === 'failed' || progress.step === 'cancelled';
  return (
    <li class="load-item">
      <div class="load-item-head">
        <strong>{name}</strong>
        <span class="hint">
          {sizeOf(data.size)}
          {isGzip && ' compressed'}
        </span>
        <FormatSelect
          formats={formats}
          label={`Format of ${name}`}
          value={type}
          disabled={isBusy || progress.step === 'done'}
          onChange={(chosen) => queue.prepare(id, chosen)}
        />
        {canRepeat && (
          <button type="button" onClick={() => queue.prepare(id, type)}>
            Try again
          </button>
        )}
        {!isBusy && (
          <button
            type="button"
            class="quiet"
            aria-label={`Remove ${name} from the list`}
            onClick={() => queue.remove(id)}
          >
            ✕
          </button>
        )}
      </div>
      <ProgressView progress={progress} size={data.size} name={name} />
    </li>
  );
}

interface ProgressViewProps {
  readonly progress: Progress;
  readonly size: number;
  readonly name: string;
}

function ProgressView({ progress, size, name }: ProgressViewProps) {
  switch (progress.step) {
    case 'ready':
      return null;
    case 'sending':
      return (
        <div class="load-progress">
          <progress aria-label={`Sending ${name}`} value={progress.sent} max={size || 1} />
          <span>
            Sending: {sizeOf(Math.min(progress.sent, size))} of {sizeOf(size)}
          </span>
        </div>
      );
    case 'working':
      return <WorkView task={progress.task} name={name} />;
    case 'cancelled':
      return (
        <p role="status">
          Cancelled. Nothing of this file was stored, unless the server was already storing it.
        </p>
      );
    case 'failed':
      return <Failure error={progress.error} line={progress.line} />;
    case 'done':
      return <DoneView {...progress} />;
  }
}

function WorkView({ task, name }: { readonly task: Task | undefined; readonly name: string }) {
  const hasTotal = task !== undefined && task.totalSteps > 0;
  return (
    <div class="load-progress">
      {hasTotal ? (
        <progress aria-label={`Work on ${name}`} value={task.progress} max={task.totalSteps} />
      ) : (
        <progress aria-label={`Work on ${name}`} />
      )}
      <span>
        The server is {task?.message ?? 'working'}
        {hasTotal &&
          `: ${task.progress.toLocaleString('en')} of ${task.totalSteps.toLocaleString('en')} ${task.unit ?? ''}`}
      </span>
    </div>
  );
}

function DoneView({ target, stored, milliseconds }: Extract<Progress, { step: 'done' }>) {
  const { isNew, added, before, after } = stored;
  const seconds = (milliseconds / 1000).toFixed(milliseconds < 10_000 ? 1 : 0);
  const graph = target.graph;
  return (
    <p role="status" class="load-done">
      <strong>{isNew ? 'Stored in a new graph' : target.replaces ? 'Replaced' : 'Added'}</strong>
      {added !== undefined && ` ${countOf(added)}`}
      {before !== undefined && after !== undefined && ` (${countOf(before)} before, ${countOf(after)} now)`}
      {`, in ${seconds} s. `}
      <a href={graph === undefined ? 'browse' : addressOf('browse', { graph })}>
        {graph === undefined ? 'Browse the graphs' : 'Browse the graph'}
      </a>
    </p>
  );
}

const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];

function sizeOf(bytes: number): string {
  const unit = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** unit;
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
