import type { TaskOutcome } from '../../pool/tasks/live-task.ts';
import type { TaskMap } from '../../pool/tasks/map.ts';
import type { ThreadReading } from '../../pool/threads/work-meter.ts';
import type { GroupState, TaskState } from './live-state.ts';

/** What differs between two states. All numbers are those of the time between them. */
export interface TaskChanges {
  /** Milliseconds since 1970. */
  readonly since: number;
  readonly time: number;
  readonly appeared: readonly TaskMap[];
  /** Without the fields that are the same. */
  readonly changed: readonly (Pick<TaskMap, 'id'> & Partial<TaskMap>)[];
  readonly ended: readonly EndedTask[];
  readonly unlisted: number;
  /** Groups of which a number is not 0. */
  readonly groups: Readonly<Record<string, GroupState>>;
  /** Threads that had work, or have work now. */
  readonly threads: readonly ThreadUse[];
}

interface EndedTask extends Pick<TaskMap, 'id' | 'name' | 'group'> {
  /** Null if it is not known. */
  readonly outcome: TaskOutcome | null;
}

interface ThreadUse extends Pick<ThreadReading, 'thread' | 'task' | 'jobs'> {
  /** The share of the time in which it had work, 0 to 1. */
  readonly busy: number;
  /** The same by kind of work. */
  readonly work: Readonly<Record<string, number>>;
}

/** What makes a task another one for people; the other fields follow from time alone. */
const telling = ['state', 'thread', 'message', 'progress', 'totalSteps', 'unit', 'detailMessages'] as const;
const shown = [...telling, 'lastUpdate', 'eta'] as const;

/**
 * The main thread and the store always have a little to do. Less than this share of their time is
 * no change.
 */
const LEAST_SHARE = 0.05;

/** Returns undefined if nothing has happened that people would notice. */
export function changesBetween(from: TaskState, to: TaskState): TaskChanges | undefined {
  const tasks = taskChanges(from, to);
  const groups = groupChanges(from, to);
  const threads = threadChanges(from, to);
  const isQuiet =
    tasks.appeared.length + tasks.changed.length + tasks.ended.length === 0 &&
    to.unlisted === from.unlisted &&
    sameGroups(from, to) &&
    to.threads.every(({ task }, i) => task?.id === from.threads[i]!.task?.id) &&
    !threads.some((use) => use && isTelling(use));
  if (isQuiet) return undefined;
  const { time: since } = from;
  const { time, unlisted } = to;
  return { since, time, ...tasks, unlisted, groups, threads: threads.filter((use) => use !== undefined) };
}

function taskChanges(from: TaskState, to: TaskState): Pick<TaskChanges, 'appeared' | 'changed' | 'ended'> {
  const appeared: TaskMap[] = [];
  const changed: TaskChanges['changed'][number][] = [];
  for (const [id, { task }] of to.tasks) {
    const before = from.tasks.get(id)?.task;
    if (!before) appeared.push(task);
    else if (telling.some((field) => differs(before, task, field))) changed.push(difference(before, task));
  }
  const ended = [...from.tasks.values()].flatMap(({ task: { id, name, group }, live }) =>
    to.tasks.has(id) ? [] : [{ id, name, group, outcome: live.outcome() ?? null }],
  );
  return { appeared, changed, ended };
}

function difference(before: TaskMap, task: TaskMap): Pick<TaskMap, 'id'> & Partial<TaskMap> {
  const fields = shown.filter((field) => differs(before, task, field));
  return { id: task.id, ...Object.fromEntries(fields.map((field) => [field, task[field]])) };
}

function differs(before: TaskMap, task: TaskMap, field: (typeof shown)[number]): boolean {
  if (field !== 'detailMessages') return before[field] !== task[field];
  if (before.detailMessages === task.detailMessages) return false;
  return JSON.stringify(before.detailMessages) !== JSON.stringify(task.detailMessages);
}

const none: GroupState = { begun: 0, ended: 0, running: 0, queued: 0 };

function groupChanges(from: TaskState, to: TaskState): TaskChanges['groups'] {
  const groups: Record<string, GroupState> = Object.create(null);
  for (const [group, { begun, ended, running, queued }] of to.groups) {
    const before = from.groups.get(group) ?? none;
    const change = { begun: begun - before.begun, ended: ended - before.ended, running, queued };
    if (change.begun + change.ended + running + queued > 0) groups[group] = change;
  }
  return groups;
}

function sameGroups(from: TaskState, to: TaskState): boolean {
  const names = new Set([...from.groups.keys(), ...to.groups.keys()]);
  return [...names].every((name) => {
    const [before, now] = [from.groups.get(name) ?? none, to.groups.get(name) ?? none];
    return (['begun', 'ended', 'running', 'queued'] as const).every((field) => before[field] === now[field]);
  });
}

/** Returns an item for each thread of the state; undefined for those that were idle and are. */
function threadChanges(from: TaskState, to: TaskState): (ThreadUse | undefined)[] {
  const ms = Math.max(1, to.time - from.time);
  const shareOf = (milliseconds: number) =>
    Math.round(Math.min(1, Math.max(0, milliseconds / ms)) * 100) / 100;
  return to.threads.map((now, i) => {
    const before = from.threads[i]!;
    const busy = shareOf(now.busyMs - before.busyMs);
    const jobs = now.jobs - before.jobs;
    if (busy === 0 && jobs === 0 && now.task === null) return undefined;
    const shares = Object.entries(now.work)
      .map(([kind, milliseconds]) => [kind, shareOf(milliseconds - (before.work[kind] ?? 0))] as const)
      .filter(([, share]) => share > 0);
    return { thread: now.thread, task: now.task, busy, work: Object.fromEntries(shares), jobs };
  });
}

function isTelling({ busy, jobs, work }: ThreadUse): boolean {
  return jobs > 0 || Object.keys(work).length > 0 || busy >= LEAST_SHARE;
}
