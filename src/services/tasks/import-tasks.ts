import type { Caller } from '../../base/caller.ts';
import { type LiveTask, outcomeOf, type TaskOutcome } from '../../pool/tasks/live-task.ts';
import {
  type ListedTask,
  newIdentity,
  type TaskIdentity,
  type TaskInfo,
  type TaskMap,
  taskMap,
  taskName,
} from '../../pool/tasks/map.ts';
import { epochMs, monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import type { PendingCommit } from '../../store/main/client.ts';
import type { RdfPayload } from '../rdf-payload.ts';

/** An import. It keeps its id, name and start time on its way through the pool and the store. */
export interface Import {
  readonly info: TaskInfo & { readonly identity: TaskIdentity };
  readonly caller: Caller;
}

/** `graph`: the target of the payload. */
export function newImport(
  graph: string,
  { mediaType, baseIri, body }: Omit<RdfPayload, 'gzip'>,
  caller: Caller,
): Import {
  const detail = { format: mediaType, baseUri: baseIri, context: graph, bytes: String(body.length) };
  const info = {
    identity: newIdentity(),
    group: 'Importer',
    label: 'RDF import',
    unit: 'bytes',
    detail,
  } as const;
  return { info, caller };
}

interface StoringTask {
  readonly listed: ListedTask;
  readonly commit: PendingCommit;
  readonly triples: number;
  readonly since: number;
  readonly detail: Readonly<Record<string, string>>;
  /**
   * Number of triples at the latest reading of the commit's counter, and the time of its latest
   * change.
   */
  planned: number;
  updated: number;
  outcome: TaskOutcome | undefined;
}

/** Imports that have been parsed and are being made durable by the store (http-api 6.3). */
export class ImportTasks {
  readonly #tasks = new Set<StoringTask>();

  *liveTasks(): Generator<LiveTask> {
    for (const task of this.#tasks) {
      const { group, started } = task.listed;
      yield { group, started, isRunning: true, show: () => shown(task), outcome: () => task.outcome };
    }
  }

  /** The one that has been listed for the longest time. */
  get oldest(): ListedTask | undefined {
    return this.#tasks.values().next().value?.listed;
  }

  /**
   * Lists the import until the commit has ended, and returns its result. `triples`: number of
   * triples to store.
   */
  async during({ info, caller }: Import, triples: number, commit: PendingCommit): PendingCommit['result'] {
    const { identity, group } = info;
    const { id, started, sequence } = identity;
    const listed = { id, started, name: taskName(info, sequence), group, caller };
    const now = epochMs(monotonicMs());
    const detail = { ...info.detail, triples: String(triples) };
    const task: StoringTask = {
      ...{ listed, commit, triples, since: now, detail },
      ...{ planned: 0, updated: now, outcome: undefined },
    };
    this.#tasks.add(task);
    try {
      const result = await commit.result;
      task.outcome = outcomeOf(result.ok ? undefined : result.error.code);
      return result;
    } finally {
      this.#tasks.delete(task);
    }
  }

  /**
   * Returns undefined if there is no such task, and false if its triples are already being written.
   */
  cancel(group: string, name: string): boolean | undefined {
    for (const { listed, commit } of this.#tasks) {
      if (listed.group === group && listed.name === name) return commit.cancel();
    }
    return undefined;
  }
}

/**
 * Returns a description as a task of the thread `store`, which is neither the main thread nor a
 * worker of the pool.
 */
function shown(task: StoringTask): TaskMap {
  const now = epochMs(monotonicMs());
  const planned = task.commit.planned();
  if (planned !== task.planned) {
    task.planned = planned;
    task.updated = now;
  }
  const { listed, triples: total, since, updated, detail } = task;
  const what = { thread: 'store', message: 'storing triples', unit: 'triples' } as const;
  return taskMap(listed, { ...what, progress: planned, total, since, updated, detail }, now);
}
