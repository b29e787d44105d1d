import { parentPort, workerData } from 'node:worker_threads';
import type { FromStore, StoreSettings, ToStore } from '../src/store/messages.ts';
import { StoreThread } from '../src/store/thread/store-thread.ts';

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;

const thread = new StoreThread(workerData as StoreSettings, (message: FromStore) =>
  port.postMessage(message),
);
port.on('message', (messages: readonly ToStore[]) => thread.receive(...messages));
thread.onClosed = () => port.close();
await thread.open();
