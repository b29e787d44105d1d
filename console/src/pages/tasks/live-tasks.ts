import type {
  Task,
  TaskChange,
  TaskName,
  TaskState,
  ThreadChange,
} from '../../../../src/library/client/entry.ts';
import { GroupCounts } from './group-counts.ts';
import { Lane, WINDOW_MS } from './lane.ts';
import { ProgressRate } from './progress-rate.ts';

/** Tasks that ended a short while ago. */
export interface EndedTask extends TaskName {
  readonly outcome: TaskChange['ended'][number]['outcome'];
  /** Milliseconds since 1970. */
  readonly time: number;
}

const MAX_ENDED = 8;

/** All that the page knows about the tasks and threads of the server. */
export class LiveTasks {
  readonly tasks = new Map<string, Task>();
  readonly groups = new Map<string, GroupCounts>();
  /** In the order in which they are shown. */
  readonly lanes = new Map<string, Lane>();
  /** The newest ones first. */
  ended: readonly EndedTask[] = [];
  /** How many tasks there are beyond those in `tasks`. */
  unlisted = 0;
  /** Whether nothing is known yet. */
  isEmpty = true;
  readonly #rates = new Map<string, ProgressRate>();
  /** Until when the server has told what it did, in milliseconds since 1970. */
  #toldUntil = 0;
  /** By how much this machine's clock is ahead of the server's, in milliseconds. */
  #clockLead = 0;

  /** The time of the server, in milliseconds since 1970. */
  get now(): number {
    return Date.now() - this.#clockLead;
  }

  /** Steps a second, if known. */
  rateOf(id: string): number | undefined {
    return this.#rates.get(id)?.value;
  }

  /** A connection has begun: what was known before may be wrong. */
  begin({ time, tasks, unlisted, groups, threads }: TaskState): void {
    this.#clockLead = Date.now() - time;
    this.#replaceTasks(Object.values(tasks).flat());
    this.unlisted = unlisted;
    this.groups.clear();
    for (const [group, { running, queued }] of Object.entries(groups)) {
      this.#countsOf(group).note({ running, queued, begun: 0, ended: 0 }, time);
    }
    const known = new Map(this.lanes);
    this.lanes.clear();
    for (const { thread, task } of threads) {
      const lane = known.get(thread) ?? new Lane(thread);
      lane.task = task ?? undefined;
      lane.addGap(Math.max(this.#toldUntil, time - WINDOW_MS), time);
      this.lanes.set(thread, lane);
    }
    this.#toldUntil = time;
    this.isEmpty = false;
  }

  apply({ since, time, appeared, changed, ended, unlisted, groups, threads }: TaskChange): void {
    this.#clockLead = Math.min(this.#clockLead, Date.now() - time);
    for (const task of appeared) this.#put(task);
    for (const difference of changed) {
      const task = this.tasks.get(difference.id);
      if (task) this.#put({ ...task, ...difference });
    }
    for (const { id } of ended) this.#remove(id);
    const news = ended.map((task) => ({ ...task, time })).reverse();
    this.ended = [...news, ...this.ended].slice(0, MAX_ENDED);
    this.unlisted = unlisted;
    for (const group of new Set([...this.groups.keys(), ...Object.keys(groups)])) {
      const idle = { running: 0, queued: 0, begun: 0, ended: 0 };
      this.#countsOf(group).note(groups[group] ?? idle, time);
    }
    this.#extendLanes(new Map(threads.map((change) => [change.thread, change])), since, time);
  }

  /** All tasks, with those that wait. Which ones have ended, and how, is not known. */
  noteTasks(tasks: readonly Task[], time: number): void {
    this.#replaceTasks(tasks);
    for (const group of new Set([...this.groups.keys(), ...tasks.map((task) => task.group)])) {
      const own = tasks.filter((task) => task.group === group);
      const running = own.filter(({ state }) => state === 'running').length;
      this.#countsOf(group).note({ running, queued: own.length - running, begun: 0, ended: 0 }, time);
    }
    this.#notePoll();
  }

  /** The running tasks of each thread that has one. */
  noteThreads(threads: Readonly<Record<string, readonly Task[]>>, time: number): void {
    const running = Object.values(threads).flat();
    const waiting = [...this.tasks.values()].filter(({ state }) => state === 'queued');
    this.#replaceTasks([...waiting, ...running]);
    this.#addLanes(Object.keys(threads), time);
    // A poll sees only what runs at its time.
    const changes = Object.entries(threads).map(
      ([thread, tasks]) => [thread, sampleOf(thread, tasks)] as const,
    );
    this.#extendLanes(new Map(changes), this.#toldUntil || time, time);
    this.#notePoll();
  }

  #notePoll(): void {
    // The lists do not say which time the server has.
    this.#clockLead = 0;
    this.unlisted = 0;
    this.isEmpty = false;
  }

  #addLanes(threads: readonly string[], time: number): void {
    const added = threads.filter((thread) => !this.lanes.has(thread)).map((thread) => new Lane(thread));
    if (added.length === 0) return;
    for (const lane of added) lane.addGap(time - WINDOW_MS, time);
    const all = [...this.lanes.values(), ...added].sort((a, b) => collator.compare(a.thread, b.thread));
    this.lanes.clear();
    for (const lane of all) this.lanes.set(lane.thread, lane);
  }

  #extendLanes(changes: ReadonlyMap<string, ThreadChange>, since: number, time: number): void {
    for (const lane of this.lanes.values()) {
      const change = changes.get(lane.thread);
      lane.task = change?.task ?? undefined;
      if (change) lane.add({ since, time, ...change, task: lane.task });
    }
    this.#toldUntil = time;
  }

  #replaceTasks(tasks: readonly Task[]): void {
    const ids = new Set(tasks.map(({ id }) => id));
    for (const id of this.tasks.keys()) if (!ids.has(id)) this.#remove(id);
    for (const task of tasks) this.#put(task);
  }

  #put(task: Task): void {
    const rate = this.#rates.get(task.id);
    if (rate) rate.note(task.progress, task.lastUpdate);
    else this.#rates.set(task.id, new ProgressRate(task.progress, task.lastUpdate));
    this.tasks.set(task.id, task);
  }

  #remove(id: string): void {
    this.tasks.delete(id);
    this.#rates.delete(id);
  }

  #countsOf(group: string): GroupCounts {
    const counts = this.groups.get(group) ?? new GroupCounts();
    this.groups.set(group, counts);
    return counts;
  }
}

const collator = new Intl.Collator('en', { numeric: true });

function sampleOf(thread: string, tasks: readonly Task[]): ThreadChange {
  const task = tasks[0] ?? null;
  const kind = task?.message ?? undefined;
  return { thread, task, busy: 1, work: kind === undefined ? {} : { [kind]: 1 }, jobs: 0 };
}
