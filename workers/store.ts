import { parentPort, workerData } from 'node:worker_threads';
import type { StoreSettings, ToStore } from '../src/store/messages.ts';
import { StoreThread } from '../src/store/thread/store-thread.ts';

if (!parentPort) throw new Error('This file runs in a worker thread.');
const port = parentPort;

const thread = new StoreThread(workerData as StoreSettings, {
  post: (message) => port.postMessage(message),
  onClosed: () => port.close(),
});
port.on('message', (messages: readonly ToStore[]) => thread.receive(...messages));
await thread.open();
