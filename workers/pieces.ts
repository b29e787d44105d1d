/** A thread that helps to read an image, and then exits. */
import { parentPort, workerData } from 'node:worker_threads';
import { NodeDisk } from '../src/journal/disk/node-disk.ts';
import { type PieceWork, readPieces } from '../src/store/checkpoint/piece-reader.ts';

const { directory, work } = workerData as { readonly directory: string; readonly work: PieceWork };
parentPort?.postMessage(await readPieces(new NodeDisk(directory), work));
