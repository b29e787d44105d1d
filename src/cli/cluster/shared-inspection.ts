import type { StreamInfo } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import type { Member } from '../../cluster/membership/live-members.ts';
import type { Holder } from '../../cluster/membership/writer-lease.ts';
import { bucketNames } from '../../cluster/nats/buckets.ts';
import type { SharedCheckpoint } from '../../cluster/objects/checkpoint-entry.ts';
import { storeError } from '../../cluster/objects/errors.ts';
import { sharedCheckpoints, unfinishedImport } from '../../cluster/objects/share-checkpoint.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import type { Inspection } from '../inspect.ts';
import { type ExistingCluster, openExisting } from './existing-log.ts';

/**
 * `pathpool inspect nats://…`: describes what the log servers keep of a cluster, their copies, and
 * the processes. Reads little, and changes nothing. Errors: `not-found`, `bad-arguments`,
 * `data-damaged`, `unavailable`.
 */
export async function inspectCluster(settings: ClusterSettings): Promise<Inspection> {
  const notices: string[] = [];
  const cluster = await openExisting(settings, (message) => notices.push(message));
  try {
    const lines = [
      ...(await aboutLog(cluster, settings.name)),
      ...(await aboutObjects(cluster, settings.name)),
      ...(await aboutProcesses(cluster.live)),
      ...notices,
    ];
    return { text: `${lines.join('\n')}\n`, damaged: notices.length > 0 };
  } finally {
    await cluster.close();
  }
}

async function aboutLog({ log, manager, place }: ExistingCluster, stream: string): Promise<string[]> {
  const info = await storeError(() => manager.streams.info(stream));
  const { first_seq: first, last_seq: last, bytes } = info.state;
  const { name, created } = log.identity;
  const shared = await sharedCheckpoints(place);
  return [
    `data set ${name}, created at ${new Date(created).toISOString()}`,
    `log ${stream}: messages ${first} to ${last}, ${bytes} bytes`,
    ...aboutCopies(info),
    shared
      ? aboutCheckpoint('newest checkpoint', shared.newest)
      : (unfinishedImport(log.start)?.message ?? 'no checkpoint'),
    ...(shared?.before ? [aboutCheckpoint('checkpoint before', shared.before)] : []),
  ];
}

/** The servers that have copies, and how far each is behind. */
function aboutCopies({ config, cluster }: StreamInfo): string[] {
  if (!cluster || config.num_replicas === 1) return ['one copy, without redundancy'];
  const { leader, replicas = [] } = cluster;
  const others = replicas.map(({ name, current, offline, lag = 0, active }) => {
    const heard = `heard of ${(active / 1e9).toFixed(1)} s ago`;
    const state = offline ? 'offline' : current ? 'current' : `${lag} messages behind`;
    return `copy at ${name}: ${state}, ${heard}`;
  });
  return [leader ? `copy at ${leader}: leader` : 'no leader: nothing can be written now', ...others];
}

function aboutCheckpoint(which: string, { position, time, files }: SharedCheckpoint): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const { commit, sequence } = position;
  return `${which}: commit ${commit}, message ${sequence}, ${bytes} bytes, shared at ${new Date(time).toISOString()}`;
}

async function aboutObjects({ manager }: ExistingCluster, name: string): Promise<string[]> {
  const { objects } = bucketNames(name);
  const { state } = await storeError(() => manager.streams.info(`OBJ_${objects}`));
  return [`objects ${objects}: ${state.bytes} bytes`];
}

async function aboutProcesses(live: KV): Promise<string[]> {
  const entries = new Map<string, string>();
  for (const key of await storeError(() => keysOf(live))) {
    const entry = await storeError(() => live.get(key));
    if (entry?.operation === 'PUT') entries.set(key, entry.string());
  }
  const lease = entries.get('lease');
  const members = [...entries]
    .filter(([key]) => key !== 'lease')
    .map(([, value]) => aboutMember(JSON.parse(value) as Member));
  return [
    lease === undefined ? 'no process holds the lease' : aboutHolder(JSON.parse(lease) as Holder),
    ...(members.length > 0 ? members.sort() : ['no process is running']),
  ];
}

async function keysOf(bucket: KV): Promise<string[]> {
  const keys: string[] = [];
  for await (const key of await bucket.keys()) keys.push(key);
  return keys;
}

function aboutHolder({ process, url }: Holder): string {
  return `the lease is held by ${process} at ${url}`;
}

function aboutMember({ process, url, commit, since }: Member): string {
  return `process ${process} at ${url}: commit ${commit}, running since ${new Date(since).toISOString()}`;
}
