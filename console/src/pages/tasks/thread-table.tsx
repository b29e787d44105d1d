import { OTHER_COLOUR, workKinds } from './draw-lane.ts';
import { type Lane, WINDOW_MS } from './lane.ts';
import { LaneCanvas } from './lane-canvas.tsx';
import type { LiveTasks } from './live-tasks.ts';

/** What each thread runs, and ran in the last minute. */
export function ThreadTable({ tasks }: { readonly tasks: LiveTasks }) {
  const { now } = tasks;
  const lanes = [...tasks.lanes.values()];
  if (lanes.length === 0) return <p class="hint">No thread has been seen at work yet.</p>;
  return (
    <>
      <WorkLegend />
      <table class="threads">
        <thead>
          <tr>
            <th scope="col">Thread</th>
            <th scope="col">Time line: the last {WINDOW_MS / 1000} seconds</th>
            <th scope="col" class="number">
              Busy
            </th>
            <th scope="col" class="number">
              Jobs
            </th>
            <th scope="col">Runs now</th>
          </tr>
        </thead>
        <tbody>
          {lanes.map((lane) => (
            <ThreadRow key={lane.thread} lane={lane} now={now} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function ThreadRow({ lane, now }: { readonly lane: Lane; readonly now: number }) {
  const { busy, jobs } = lane.summary(now - WINDOW_MS, now);
  const percent = `${Math.round(busy * 100)} %`;
  return (
    <tr>
      <th scope="row">{lane.thread}</th>
      <td class="lane-cell">
        <LaneCanvas
          lane={lane}
          now={now}
          label={`${lane.thread} was busy for ${percent} of the last minute`}
        />
      </td>
      <td class="number">{percent}</td>
      <td class="number">{jobs}</td>
      <td class="thread-task">{lane.task?.name ?? <span class="hint">–</span>}</td>
    </tr>
  );
}

/** What the colours of the time line mean. */
function WorkLegend() {
  const entries = [...workKinds, { kind: 'other work', colour: OTHER_COLOUR }];
  return (
    <ul class="legend">
      {entries.map(({ kind, colour }) => (
        <li key={kind}>
          <span class="swatch" style={{ background: `var(${colour})` }} />
          {kind}
        </li>
      ))}
    </ul>
  );
}
