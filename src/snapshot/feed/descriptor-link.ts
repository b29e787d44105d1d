import type { SnapshotDescriptor } from '../descriptor.ts';

/**
 * A descriptor in transit to a thread that received one before: memory that the thread already has
 * is given by its index there. For every shared buffer in a message a thread creates a new object,
 * and its garbage collector counts each as memory of its own, as large as the whole store, and
 * starts to work.
 */
export interface DescriptorUpdate {
  readonly sequence: number;
  readonly quadCount: number;
  readonly generation: number;
  readonly termCount: number;
  readonly logCount: number;
  /** In the order of `buffersOf`; numbers are indices in the list of the previous update. */
  readonly buffers: readonly (SharedArrayBuffer | number)[];
}

/** The sending end of a link between two threads. The link must carry all updates in order. */
export class DescriptorSender {
  #sent: readonly SharedArrayBuffer[] = [];

  update(descriptor: SnapshotDescriptor): DescriptorUpdate {
    const { sequence, quadCount, dictionary, logCount } = descriptor;
    const current = buffersOf(descriptor);
    const buffers = current.map((buffer) => {
      const place = this.#sent.indexOf(buffer);
      return place < 0 ? buffer : place;
    });
    this.#sent = current;
    const { generation, termCount } = dictionary;
    return { sequence, quadCount, generation, termCount, logCount, buffers };
  }
}

/** The receiving end. */
export class DescriptorReceiver {
  #received: readonly SharedArrayBuffer[] = [];

  receive(update: DescriptorUpdate): SnapshotDescriptor {
    const { sequence, quadCount, generation, termCount, logCount, buffers } = update;
    const current = buffers.map((buffer) => (typeof buffer === 'number' ? this.#received[buffer]! : buffer));
    this.#received = current;
    const [arena, ends, table, base, log, ...deltas] = current as [
      SharedArrayBuffer,
      SharedArrayBuffer,
      SharedArrayBuffer,
      SharedArrayBuffer,
      SharedArrayBuffer,
      ...SharedArrayBuffer[],
    ];
    const dictionary = { generation, termCount, arena, ends, table };
    return { sequence, quadCount, dictionary, base, deltas, log, logCount };
  }
}

/** Returns all memory of a snapshot. */
export function buffersOf({ dictionary, base, log, deltas }: SnapshotDescriptor): SharedArrayBuffer[] {
  return [dictionary.arena, dictionary.ends, dictionary.table, base, log, ...deltas];
}
