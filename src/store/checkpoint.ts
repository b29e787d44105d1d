/**
 * A checkpoint: the whole store at one sequence number, as three files in the data directory.
 *
 *     checkpoint-<sequence>.nq      all quads as N-Quads in canonical form: the truth
 *     checkpoint-<sequence>.image   the snapshot's dictionary and base run: derived, for a quick start
 *     checkpoint-<sequence>.json    the manifest: one line of JSON with the sizes and digests of both and the graphs'
 *                                   rows, then one line with the SHA-256 of the first
 *
 * The manifest is written last, synced under another name and then renamed: a checkpoint exists when its
 * manifest does. Files without one are what an interrupted checkpoint left, and are removed at the next start.
 */
import { createHash } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Disk } from '../journal/disk.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import type { GraphChange } from '../snapshot/graph-table.ts';
import { readText, writeDurably } from './durable-file.ts';

const FORMAT = 1;

export interface Checkpoint extends CheckpointOutput {
  readonly sequence: number;
  readonly quadCount: number;
  /** One row for each graph that exists. */
  readonly graphs: readonly GraphChange[];
}

interface Manifest extends CheckpointOutput {
  readonly format: number;
  readonly sequence: number;
  readonly quadCount: number;
  /** Name, triples, sequence number and time of the last change. */
  readonly graphs: readonly (readonly [string, number, number, number])[];
}

const namePattern = /^checkpoint-(\d{12})\.(nq|image|json|json\.new)$/;

export function checkpointFiles(sequence: number) {
  const stem = `checkpoint-${sequence.toString().padStart(12, '0')}`;
  return { quadsFile: `${stem}.nq`, imageFile: `${stem}.image`, manifestFile: `${stem}.json` } as const;
}

/** Makes a checkpoint exist, whose other two files are written and synced; then removes all older ones. */
export async function installCheckpoint(disk: Disk, checkpoint: Checkpoint): Promise<void> {
  const { manifestFile } = checkpointFiles(checkpoint.sequence);
  const text = JSON.stringify(toManifest(checkpoint));
  await writeDurably(disk, manifestFile, `${text}\n${digestOf(text)}\n`);
  await removeAllBut(disk, checkpoint.sequence);
}

/** The newest checkpoint, or undefined when there is none. Error `data-damaged` when its manifest can't be read. */
export async function findCheckpoint(disk: Disk): Promise<Checkpoint | undefined> {
  const sequences = (await disk.list(''))
    .map((name) => /^checkpoint-(\d{12})\.json$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number);
  if (sequences.length === 0) return undefined;
  return readManifest(disk, checkpointFiles(Math.max(...sequences)).manifestFile);
}

async function readManifest(disk: Disk, name: string): Promise<Checkpoint> {
  const [text = '', digest] = (await readText(disk, name)).split('\n');
  if (digest !== digestOf(text)) throw new AppError('data-damaged', `${name} does not match its own digest.`);
  return fromManifest(JSON.parse(text) as Manifest, name);
}

function toManifest(checkpoint: Checkpoint): Manifest {
  const { sequence, quadCount, quads, image } = checkpoint;
  const graphs = checkpoint.graphs.flatMap(([name, info]) =>
    info ? [[name, info.size, info.sequence, info.modified] as const] : [],
  );
  return { format: FORMAT, sequence, quadCount, quads, image, graphs };
}

function fromManifest(manifest: Manifest, name: string): Checkpoint {
  if (manifest.format !== FORMAT) {
    const message = `${name} has format ${manifest.format}; this version of Pathpool reads format ${FORMAT}.`;
    throw new AppError('data-damaged', message);
  }
  const { sequence, quadCount, quads, image } = manifest;
  const graphs = manifest.graphs.map(
    ([graph, size, changed, modified]): GraphChange => [graph, { size, sequence: changed, modified }],
  );
  return { sequence, quadCount, quads, image, graphs };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Removes what interrupted checkpoints left, and all checkpoints but the one at `kept`. */
export async function removeAllBut(disk: Disk, kept: number | undefined): Promise<void> {
  for (const name of await disk.list('')) {
    const [, digits, kind] = namePattern.exec(name) ?? [];
    if (digits !== undefined && (Number(digits) !== kept || kind === 'json.new')) await disk.remove(name);
  }
}
