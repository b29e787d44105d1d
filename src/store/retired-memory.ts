import { startWorker } from '../pool/worker-url.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import { buffersOf } from '../snapshot/descriptor-link.ts';

/** It takes longer to start a thread than to give back less. */
const LEAST_BYTES = 64 * 2 ** 20;
/** A collector may give memory back some time after the object is gone. */
const DELAY_MS = 5000;

/** Holds memory until the function is called that it gives. */
export type Keep = (buffers: readonly SharedArrayBuffer[]) => () => void;

/**
 * Memory that a thread's snapshots used and use no more. The last thread that lets go of a shared
 * buffer gives it back to the system: a tenth of a second for a gibibyte, within a garbage
 * collection. So that this is no thread for which others wait, another thread holds the buffers
 * until the collector of this one has done with them, and ends then.
 */
export class RetiredMemory {
  readonly #keep: Keep;
  readonly #leastBytes: number;
  /** They must not be collected themselves before they have called back. */
  readonly #registries = new Set<FinalizationRegistry<undefined>>();
  #used: readonly SharedArrayBuffer[] = [];

  constructor(keep: Keep = keepInThread, leastBytes = LEAST_BYTES) {
    this.#keep = keep;
    this.#leastBytes = leastBytes;
  }

  /** To be told of each snapshot that the thread goes over to. */
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

/** Without a thread the collector of this one gives the memory back, and takes its time for it. */
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
    // The system can't make a thread now.
    return () => {};
  }
}
