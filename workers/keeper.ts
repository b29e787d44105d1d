/**
 * A thread that holds memory, its `workerData`, until a message arrives, and releases it by
 * exiting.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { delay } = workerData as { readonly delay: number };
parentPort?.once('message', () => setTimeout(() => process.exit(), delay));
