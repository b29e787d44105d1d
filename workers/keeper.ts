/**
 * A thread that holds memory, its `workerData`, until a message comes, and gives it back by ending.
 */
import { parentPort, workerData } from 'node:worker_threads';

const { delay } = workerData as { readonly delay: number };
parentPort?.once('message', () => setTimeout(() => process.exit(), delay));
