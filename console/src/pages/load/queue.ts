import { PathpoolError, type Task } from '../../../../src/library/client/entry.ts';
import { client } from '../../app/client.ts';
import { upload } from '../../app/upload.ts';
import { formatOfName, formats, isGzipName } from './formats.ts';
import { type OffendingLine, readOffendingLine } from './offending-line.ts';
import { watchTask } from './server-work.ts';
import { conditionsOf, readGraphs, type Target, urlOf } from './target.ts';

/** What the server says about a file that it has stored. */
export interface Stored {
  readonly isNew: boolean;
  /** Numbers of triples: new ones, and those in the graph before and after. */
  readonly added: number | undefined;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

export type Progress =
  | { readonly step: 'ready' | 'cancelled' }
  | { readonly step: 'sending'; readonly sent: number }
  | { readonly step: 'working'; readonly task: Task | undefined }
  | {
      readonly step: 'done';
      readonly target: Target;
      readonly stored: Stored;
      readonly milliseconds: number;
    }
  | { readonly step: 'failed'; readonly error: unknown; readonly line: OffendingLine | undefined };

export interface QueueItem {
  readonly id: number;
  readonly name: string;
  readonly data: Blob;
  /** Media type. */
  readonly type: string;
  readonly isGzip: boolean;
  readonly progress: Progress;
}

/** Files that are sent one after another. It goes on while another page of the console is shown. */
class LoadQueue extends EventTarget {
  #items: readonly QueueItem[] = [];
  #lastId = 0;
  #running: AbortController | undefined;

  get items(): readonly QueueItem[] {
    return this.#items;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** `type`: the media type; by default the name tells. */
  add(name: string, data: Blob, type?: string): void {
    const format = formatOfName(name) ?? formats[0]!;
    const item: QueueItem = {
      id: ++this.#lastId,
      name,
      data,
      type: type ?? format.type,
      isGzip: isGzipName(name),
      progress: { step: 'ready' },
    };
    this.#show([...this.#items, item]);
  }

  remove(id: number): void {
    this.#show(this.#items.filter((item) => item.id !== id));
  }

  /** Changes the format of a file, or that it is to be sent again. */
  prepare(id: number, type: string): void {
    this.#change(id, { type, progress: { step: 'ready' } });
  }

  /** Sends the files that are ready, until one fails. */
  async start(target: Target): Promise<void> {
    if (this.#running) return;
    const running = new AbortController();
    this.#running = running;
    let current = target;
    for (;;) {
      const next = this.#items.find(({ progress }) => progress.step === 'ready');
      if (!next || running.signal.aborted || !(await this.#send(next, current, running.signal))) break;
      // What is replaced is replaced by all files together.
      current = { ...target, replaces: false, size: undefined };
    }
    this.#running = undefined;
    this.#show(this.#items);
  }

  /** Cancels the file that is being sent; those after it stay ready. */
  async cancel(): Promise<void> {
    const running = this.#running;
    const current = this.#items.find(({ progress: { step } }) => step === 'sending' || step === 'working');
    const task = current?.progress.step === 'working' ? current.progress.task : undefined;
    // The server then says whether it has cancelled the work, or was storing it already.
    const isAsked = task && (await client.tasks.cancel(task.group, task.name).then(...asBoolean));
    if (!isAsked) running?.abort();
  }

  /** Returns whether the file was stored. */
  async #send(item: QueueItem, target: Target, signal: AbortSignal): Promise<boolean> {
    const { id, data, type, isGzip } = item;
    const mark = `upload=${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
    const begin = performance.now();
    const ended = new AbortController();
    const headers = {
      Accept: 'application/json, application/problem+json',
      'Content-Type': type,
      ...(isGzip && { 'Content-Encoding': 'gzip' }),
      ...conditionsOf(target),
    };
    const show = (progress: Progress) => !ended.signal.aborted && this.#change(id, { progress });
    show({ step: 'sending', sent: 0 });
    try {
      const method = target.replaces ? 'PUT' : 'POST';
      const watcher = {
        signal,
        onSent: (sent: number) => show({ step: 'sending', sent }),
        onComplete: () => {
          show({ step: 'working', task: undefined });
          const onTask = (task: Task) => show({ step: 'working', task });
          void watchTask(mark, { signal: ended.signal, onTask });
        },
      };
      const { status, text } = await upload(
        { method, url: urlOf(target, mark), headers, body: data },
        watcher,
      );
      const milliseconds = performance.now() - begin;
      show({ step: 'done', target, stored: await storedOf(status, text, target), milliseconds });
      return true;
    } catch (error) {
      show(isCancelled(error, signal) ? { step: 'cancelled' } : await failureOf(error, item));
      return false;
    } finally {
      ended.abort();
    }
  }

  #change(id: number, change: Partial<QueueItem>): void {
    this.#show(this.#items.map((item) => (item.id === id ? { ...item, ...change } : item)));
  }

  #show(items: readonly QueueItem[]): void {
    this.#items = items;
    this.dispatchEvent(new Event('change'));
  }
}

const asBoolean = [() => true, () => false] as const;

function isCancelled(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted || (error instanceof PathpoolError && error.code === 'cancelled');
}

async function failureOf(error: unknown, { data, isGzip }: QueueItem): Promise<Progress> {
  const { line, column } = error instanceof PathpoolError ? error.problem : {};
  if (line === undefined || column === undefined) return { step: 'failed', error, line: undefined };
  const read = readOffendingLine(data, isGzip, { line, column });
  // A file that cannot be read any more still has its error.
  return { step: 'failed', error, line: await read.catch(() => undefined) };
}

async function storedOf(status: number, text: string, { graph, size: before }: Target): Promise<Stored> {
  const isNew = status === 201;
  if (text.startsWith('{')) {
    const { added = 0, size } = JSON.parse(text) as { readonly added?: number; readonly size?: number };
    return { isNew, added, before: size === undefined ? undefined : size - added, after: size };
  }
  const graphs = graph === undefined ? undefined : await readGraphs().catch(() => undefined);
  const after = graph === undefined ? undefined : graphs?.sizes.get(graph);
  return { isNew, added: undefined, before: isNew ? 0 : before, after };
}

/** The only queue: it outlives the page. */
export const queue = new LoadQueue();
