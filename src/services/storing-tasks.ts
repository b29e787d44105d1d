import { newIdentity, type TaskIdentity, type TaskInfo, type TaskMap, taskName } from '../pool/task-map.ts';
import type { RdfPayload } from './payload.ts';

/** An import, known by one id and name on its way through the pool and the store. */
export type ImportInfo = TaskInfo & { readonly identity: TaskIdentity };

/** `graph`: where the payload goes. */
export function importInfo(graph: string, { mediaType, baseIri, body }: RdfPayload): ImportInfo {
  const detail = { format: mediaType, baseUri: baseIri, context: graph, bytes: String(body.length) };
  return { identity: newIdentity(), group: 'Importer', label: 'RDF import', detail };
}

/** Imports that were read and wait until the store has them on disk: they are tasks still (http-api 6.3). */
export class StoringTasks {
  readonly #tasks = new Set<TaskMap>();

  [Symbol.iterator](): Iterator<TaskMap> {
    return this.#tasks.values();
  }

  /** Lists the import while `work` goes on. `started`: when it was handed in, milliseconds since 1970. */
  async during<T>(info: ImportInfo, started: number, triples: number, work: Promise<T>): Promise<T> {
    const task: TaskMap = {
      id: info.identity.id,
      name: taskName(info, info.identity.sequence),
      group: info.group,
      state: 'running',
      thread: 'store',
      message: 'storing triples',
      progress: 0,
      totalSteps: 0,
      started,
      lastUpdate: Date.now(),
      eta: null,
      detailMessages: { ...info.detail, triples: String(triples) },
    };
    this.#tasks.add(task);
    try {
      return await work;
    } finally {
      this.#tasks.delete(task);
    }
  }
}
