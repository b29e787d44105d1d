import { startWorker } from '../pool/threads/worker-url.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { buffersOf } from '../snapshot/feed/descriptor-link.ts';

/** Releasing less memory than this is faster than starting a thread. */
const LEAST_BYTES = 64 * 2 ** 20;
/** The garbage collector may release memory some time after the object has become unreachable. */
const DELAY_MS = 5000;

/** Keeps memory until the returned function is called. */
export type Keep = (buffers: readonly SharedArrayBuffer[]) => () => void;

/**
 * Memory that a thread's snapshots no longer use. The last thread that drops a shared buffer
 * returns it to the system, which takes a tenth of a second per gibibyte, within a garbage
 * collection. To keep that pause out of threads that others wait for, another thread keeps the
 * buffers until this thread's collector has finished with them, and then ends.
 */
export class RetiredMemory {
  readonly #keep: Keep;
  readonly #leastBytes: number;
  /** Kept here so that they are not collected before their callbacks have run. */
  readonly #registries = new Set<FinalizationRegistry<undefined>>();
  #used: readonly SharedArrayBuffer[] = [];

  constructor(keep: Keep = keepInThread, leastBytes = LEAST_BYTES) {
    this.#keep = keep;
    this.#leastBytes = leastBytes;
  }

  /** Must be called with each new snapshot of the thread. */
  use(snapshot: SnapshotDescriptor): void {
    const used = buffersOf(snapshot);
    const retired = this.#used.filter((buffer) => !used.includes(buffer));
    this.#used = used;
    const bytes = retired.reduce((sum, { byteLength }) => sum + byteLength, 0);
    if (bytes >= this.#leastBytes) this.#retire(retired);
  }

  #retire(buffers: readonly SharedArrayBuffer[]): void {
    const release = this.#keep(buffers);
    let left = buffers.length;
    const registry = new FinalizationRegistry<undefined>(() => {
      left--;
      if (left > 0) return;
      this.#registries.delete(registry);
      release();
    });
    this.#registries.add(registry);
    for (const buffer of buffers) registry.register(buffer, undefined);
  }
}

/**
 * Keeps the buffers in a new thread. If that fails, this thread's own collector releases the
 * memory, with the pause.
 */
export function keepInThread(
  buffers: readonly SharedArrayBuffer[],
  start: typeof startWorker = startWorker,
): () => void {
  try {
    const worker = start('keeper', { buffers, delay: DELAY_MS });
    worker.unref();
    worker.on('error', () => {});
    return () => worker.postMessage('release');
  } catch {
    // The system can't start a thread now.
    return () => {};
  }
}
