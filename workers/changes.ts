import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ChangesSettings, LogPlace, ToChanges } from '../src/changes/messages.ts';
import { ChangesThread } from '../src/changes/thread/changes-thread.ts';
import { Commits } from '../src/changes/thread/commit-source.ts';
import type { LogHistory } from '../src/cluster/history/log-history.ts';
import { NodeDisk } from '../src/journal/disk/node-disk.ts';

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;

const { feed, directory, log: place } = workerData as ChangesSettings;
const disk = directory === null ? null : new NodeDisk(resolve(directory));
const log = place && (await openHistory(place));
const thread = new ChangesThread(new Commits(feed, disk, log), (message) => port.postMessage(message));
port.on('message', (message: ToChanges) => thread.receive(message));

/** Loads what a cluster needs only if there is one. */
async function openHistory({ cluster, identity }: LogPlace): Promise<LogHistory> {
  const { LogHistory } = await import('../src/cluster/history/log-history.ts');
  return new LogHistory(cluster, identity);
}
