import { newIdentity, type TaskIdentity, type TaskInfo, type TaskMap, taskName } from '../pool/task-map.ts';
import type { RdfPayload } from './payload.ts';

/** An import, known by one id and name on its way through the pool and the store. */
export type ImportInfo = TaskInfo & { readonly identity: TaskIdentity };

/** `graph`: where the payload goes. */
export function importInfo(graph: string, { mediaType, baseIri, body }: RdfPayload): ImportInfo {
  const detail = { format: mediaType, baseUri: baseIri, context: graph, bytes: String(body.length) };
  return { identity: newIdentity(), group: 'Importer', label: 'RDF import', detail };
}

/** `uri`: the resource that the bytes are for. */
export function uploadInfo(uri: string, contentType: string): ImportInfo {
  const detail = { format: contentType, resource: uri };
  return { identity: newIdentity(), group: 'Content', label: 'Upload', detail };
}

/**
 * What is on its way into the store without a thread of the pool (http-api 6.3): imports that were read and wait until the
 * store has them on disk, and bytes as they come.
 */
export class StoringTasks {
  readonly #tasks = new Set<TaskMap>();

  [Symbol.iterator](): Iterator<TaskMap> {
    return this.#tasks.values();
  }

  /**
   * Lists the import while `work` goes on, as a task of the thread `store`: it is with neither the front nor the pool, whose
   * threads http-api 6.3 names. `started`: when it was handed in, milliseconds since 1970.
   */
  during<T>(info: ImportInfo, started: number, triples: number, work: Promise<T>): Promise<T> {
    const detailMessages = { ...info.detail, triples: String(triples) };
    const doing = { thread: 'store', message: 'storing triples', started, detailMessages };
    return this.#list({ ...listed(info), ...doing }, work);
  }

  /** Lists an upload while `work` goes on. */
  receiving<T>(info: ImportInfo, work: Promise<T>): Promise<T> {
    return this.#list({ ...listed(info), thread: 'main', message: 'receiving bytes' }, work);
  }

  async #list<T>(task: TaskMap, work: Promise<T>): Promise<T> {
    this.#tasks.add(task);
    try {
      return await work;
    } finally {
      this.#tasks.delete(task);
    }
  }
}

function listed(info: ImportInfo): TaskMap {
  const now = Date.now();
  return {
    id: info.identity.id,
    name: taskName(info, info.identity.sequence),
    group: info.group,
    state: 'running',
    thread: null,
    message: null,
    progress: 0,
    totalSteps: 0,
    started: now,
    lastUpdate: now,
    eta: null,
    detailMessages: info.detail,
  };
}
