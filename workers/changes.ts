import { resolve } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { ChangesSettings, ToChanges } from '../src/changes/messages.ts';
import { ChangesThread } from '../src/changes/thread/changes-thread.ts';
import { NodeDisk } from '../src/journal/disk/node-disk.ts';

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;

const { feed, directory } = workerData as ChangesSettings;
const disk = directory === null ? null : new NodeDisk(resolve(directory));
const thread = new ChangesThread(feed, disk, (message) => port.postMessage(message));
port.on('message', (message: ToChanges) => thread.receive(message));
