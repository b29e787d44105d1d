import type { Caller } from '../../base/caller.ts';
import { BegunTasks } from '../../pool/tasks/begun-tasks.ts';
import type { LiveTask } from '../../pool/tasks/live-task.ts';
import { type ListedTask, newIdentity, type TaskMap, taskMap, taskName } from '../../pool/tasks/map.ts';
import { epochMs, monotonicMs } from '../../pool/threads/monotonic-clock.ts';

/** A request or response body in transit between a client and the server. */
export interface Transfer {
  readonly direction: 'Upload' | 'Download';
  readonly caller: Caller;
  /** Describes the current step. */
  readonly message: string;
  readonly bytes: number;
  /** Total number of bytes; 0 if unknown. */
  readonly total: number;
  /** Ends the transfer; returns false if it is too late. */
  cancel(): boolean;
}

interface Entry {
  readonly listed: ListedTask;
  /** The values last shown, and the time since which they have been the same. */
  bytes: number;
  message: string;
  updated: number;
}

/**
 * Bodies that take more than a moment to transfer, listed as tasks of the group `Content` (http-api
 * 6.3).
 */
export class TransferTasks {
  readonly begun = new BegunTasks();
  readonly #entries = new Map<Transfer, Entry>();

  add(transfer: Transfer): void {
    const { id, sequence, started } = newIdentity();
    const { caller, direction, bytes, message } = transfer;
    const name = taskName({ group: GROUP, label: direction, detail: {} }, sequence);
    const listed = { id, name, group: GROUP, started, caller };
    this.#entries.set(transfer, { listed, bytes, message, updated: started });
    this.begun.add(GROUP);
  }

  delete(transfer: Transfer): void {
    this.#entries.delete(transfer);
  }

  /** How they end is not known: that depends on the request. */
  *liveTasks(): Generator<LiveTask> {
    for (const [transfer, entry] of this.#entries) {
      const { group, started } = entry.listed;
      const show = () => shown(transfer, entry);
      yield { group, started, isRunning: true, show, outcome: () => undefined };
    }
  }

  /** Returns undefined if there is no such task, and false if it is too late. */
  cancel(group: string, name: string): boolean | undefined {
    for (const [transfer, { listed }] of this.#entries) {
      if (listed.group === group && listed.name === name) return transfer.cancel();
    }
    return undefined;
  }
}

const GROUP = 'Content';

function shown({ bytes, message, total }: Transfer, entry: Entry): TaskMap {
  const now = epochMs(monotonicMs());
  if (bytes !== entry.bytes || message !== entry.message)
    Object.assign(entry, { bytes, message, updated: now });
  const { listed, updated } = entry;
  const what = { thread: 'main', message, progress: bytes, total, unit: 'bytes', detail: {} } as const;
  return taskMap(listed, { ...what, since: listed.started, updated }, now);
}
