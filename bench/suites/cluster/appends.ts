/** Appends to the log of a cluster beside the local journal on the same disk, and replays. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { openSharedLog } from '../../../src/cluster/nats/open-log.ts';
import type { ClusterSettings } from '../../../src/cluster/settings.ts';
import type { CommitLog } from '../../../src/journal/commit-log.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import { newIdentity } from '../../../src/store/registry/identity.ts';
import { startNatsServers } from '../../cluster/nats-servers.ts';
import { Histogram } from '../../measure/histogram.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';

/** Bytes of a group of one record. */
const SIZES = [200, 10_000, 500_000] as const;

/** Latencies of one round, in milliseconds. */
interface Latencies {
  readonly p50: number;
  readonly p99: number;
}

type Append = (payload: Uint8Array) => Promise<unknown>;

export async function benchLogs(stage: Stage): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const replicas of [1, 3] as const) figures.push(...(await benchReplicas(stage, replicas)));
  return figures;
}

async function benchReplicas(stage: Stage, replicas: 1 | 3): Promise<Figure[]> {
  const servers = await startNatsServers(join(stage.directory, `nats-${replicas}`), replicas);
  try {
    const settings = servers.settings();
    const figures: Figure[] = [];
    for (const size of stage.options.quick ? SIZES.slice(0, 1) : SIZES) {
      // A log of its own, so that each replay is of one size.
      const ofSize = { ...settings, name: `${settings.name}-${size}` };
      figures.push(await benchAppends(stage, ofSize, size), await benchReplay(stage, ofSize, size));
    }
    return figures;
  } finally {
    await servers.kill();
  }
}

async function benchAppends(stage: Stage, settings: ClusterSettings, size: number): Promise<Figure> {
  const shared = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()) });
  await shared.replay(1, () => {});
  const local = await openLocal(join(stage.directory, `journal-${settings.replicas}-${size}`));
  const bare = await bareStream(settings, size);
  const payload = new Uint8Array(size);
  const rounds: Record<'shared' | 'bare' | 'local', Latencies[]> = { shared: [], bare: [], local: [] };
  for (let round = 0; round < stage.options.rounds; round++) {
    const { seconds } = stage.options;
    rounds.local.push(await latencies(appendTo(local), payload, seconds));
    rounds.bare.push(await latencies(bare.publish, payload, seconds));
    rounds.shared.push(await latencies(appendTo(shared), payload, seconds));
  }
  await Promise.all([shared.close(), local.close(), bare.close()]);
  return {
    id: `append.r${settings.replicas}.${size}`,
    name: `append of ${size} bytes to ${place(settings)}`,
    unit: 'ms',
    better: 'less',
    values: rounds.shared.map(({ p50 }) => p50),
    reference: { name: 'append to the local journal', values: rounds.local.map(({ p50 }) => p50) },
    note: `p99 ${middle(rounds.shared, 'p99')} ms (local ${middle(rounds.local, 'p99')}); bare publish p50 ${middle(rounds.bare, 'p50')}, p99 ${middle(rounds.bare, 'p99')} ms`,
  };
}

/** Replays what the appends have written. */
async function benchReplay(stage: Stage, settings: ClusterSettings, size: number): Promise<Figure> {
  const values: number[] = [];
  let count = 0;
  for (let round = 0; round < stage.options.rounds; round++) {
    const log = await openSharedLog(settings, { newIdentity: newIdentity(Date.now()) });
    const began = performance.now();
    await log.replay(1, () => {});
    count = log.lastSequence;
    values.push(count / ((performance.now() - began) / 1000));
    await log.close();
  }
  return {
    id: `replay.r${settings.replicas}.${size}`,
    name: `replay of records of ${size} bytes from ${place(settings)}`,
    unit: 'records/s',
    better: 'more',
    values,
    note: `${count} records, ${((median(values) * size) / 1e6).toFixed(1)} MB/s`,
  };
}

function place({ replicas }: ClusterSettings): string {
  return replicas === 1 ? 'one log server' : `${replicas} log servers`;
}

/** Appends one after another for some seconds. */
async function latencies(append: Append, payload: Uint8Array, seconds: number): Promise<Latencies> {
  const microseconds = new Histogram();
  const end = performance.now() + seconds * 1000;
  for (let began = performance.now(); began < end; began = performance.now()) {
    await append(payload);
    microseconds.record((performance.now() - began) * 1000);
  }
  return { p50: microseconds.quantile(0.5) / 1000, p99: microseconds.quantile(0.99) / 1000 };
}

function appendTo(log: CommitLog): Append {
  return (payload) => log.append([{ sequence: log.lastSequence + 1, payload: [payload] }], 'state');
}

async function openLocal(directory: string): Promise<CommitLog> {
  await mkdir(directory, { recursive: true });
  return openJournal(await openNodeDisk(directory));
}

/** A stream like that of a log, which gets messages without more. */
async function bareStream(settings: ClusterSettings, size: number) {
  const connection = await connectNats(settings, 'bare');
  const name = `bare-${settings.replicas}-${size}`;
  const manager = await jetstreamManager(connection);
  await manager.streams.add({
    name,
    subjects: [`${name}.log`],
    storage: 'file',
    num_replicas: settings.replicas,
  });
  const client = jetstream(connection);
  let lastSequence = 0;
  return {
    publish: async (payload: Uint8Array) => {
      ({ seq: lastSequence } = await client.publish(`${name}.log`, payload, { expect: { lastSequence } }));
    },
    close: () => connection.close(),
  };
}

function middle(rounds: readonly Latencies[], key: keyof Latencies): string {
  return median(rounds.map((round) => round[key])).toFixed(2);
}
