import type { SnapshotDescriptor } from './descriptor.ts';

/**
 * A descriptor on its way to a thread that got one before: memory that it was told of is named by its place there. For a
 * thread makes a new object of every shared buffer that a message brings, and its garbage collector takes each for memory of
 * its own, as big as the whole store, and sets to work.
 */
export interface DescriptorUpdate {
  readonly sequence: number;
  readonly quadCount: number;
  readonly generation: number;
  readonly termCount: number;
  readonly logCount: number;
  /** In the order of `buffersOf`; numbers are places in the list of the update before. */
  readonly buffers: readonly (SharedArrayBuffer | number)[];
}

/** One end of a link between two threads, which carries all updates in order. */
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

/** The other end. */
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

/** All memory of a snapshot. */
export function buffersOf({ dictionary, base, log, deltas }: SnapshotDescriptor): SharedArrayBuffer[] {
  return [dictionary.arena, dictionary.ends, dictionary.table, base, log, ...deltas];
}
