import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import { Histogram } from '../../measure/histogram.ts';

/** About the bytes of the commit of a small write. */
const PAYLOAD = new Uint8Array(200);

export interface Rate {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Publishes to a stream that is configured as that of a log, and does nothing else. */
export async function openBarePublishes(settings: ClusterSettings) {
  const connection = await connectNats(settings, 'bare');
  const manager = await jetstreamManager(connection);
  const { config } = await manager.streams.info(settings.name);
  const subject = 'bare.log';
  await manager.streams.add({ ...config, name: 'bare', subjects: [subject], metadata: {} });
  const client = jetstream(connection);
  return {
    /** Keeps so many publishes waiting for their acknowledgements. */
    run: async (inFlight: number, seconds: number): Promise<Rate> => {
      const microseconds = new Histogram();
      const began = performance.now();
      const end = began + seconds * 1000;
      const publishOneByOne = async () => {
        for (let sent = performance.now(); sent < end; sent = performance.now()) {
          await client.publish(subject, PAYLOAD);
          microseconds.record((performance.now() - sent) * 1000);
        }
      };
      await Promise.all(Array.from({ length: inFlight }, publishOneByOne));
      return {
        perSecond: microseconds.count / ((performance.now() - began) / 1000),
        p50: microseconds.quantile(0.5) / 1000,
        p99: microseconds.quantile(0.99) / 1000,
      };
    },
    close: () => connection.close(),
  };
}
