/**
 * `pathpool import DIRECTORY nats://…`: begins a cluster with the data of an ordinary data
 * directory. The content, and then a checkpoint of all data, become objects; the log begins behind
 * it. The data get a new identity, since both could be written to from now on. Until the end there
 * is no cluster that a server could join, and an interrupted import can be repeated.
 */
import type { LogPosition } from '../../cluster/nats/genesis.ts';
import type { JetStreamLog } from '../../cluster/nats/jetstream-log.ts';
import { openSharedLog } from '../../cluster/nats/open-log.ts';
import type { ObjectBucket } from '../../cluster/objects/bucket.ts';
import { patientTimes } from '../../cluster/objects/nats-bucket.ts';
import {
  type CheckpointSource,
  shareCheckpoint,
  sharedCheckpoints,
} from '../../cluster/objects/share-checkpoint.ts';
import { contentObject } from '../../cluster/objects/shared-content.ts';
import { counted, fileBytes, type OnBytes } from '../../cluster/objects/shared-files.ts';
import { openSharedPlace } from '../../cluster/objects/shared-place.ts';
import type { ClusterSettings } from '../../cluster/settings.ts';
import { AppError } from '../../errors.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { wasPurged } from '../../journal/errors.ts';
import { imageChunks } from '../../snapshot/image/write-image.ts';
import { checkpointFiles, manifestText, newCheckpointName } from '../../store/checkpoint/checkpoint.ts';
import { PIECE_BYTES, PieceDigester } from '../../store/checkpoint/piece-digests.ts';
import { termsNeedNewFormat } from '../../store/checkpoint/write-checkpoint.ts';
import { contentPath, referencedContent } from '../../store/content/referenced-content.ts';
import { type ReadData, readData } from '../../store/recovery/load-data.ts';
import { newIdentity } from '../../store/registry/identity.ts';
import { openIdleDirectory } from '../data-directory.ts';
import type { CommandReport } from './shared-backup.ts';

/**
 * Resolves with the number of the newest commit. Errors: `data-locked`, `not-found`,
 * `data-damaged`; `bad-arguments` if the log is not new; `unavailable`.
 */
export async function importCluster(
  directory: string,
  settings: ClusterSettings,
  report: CommandReport,
): Promise<number> {
  const disk = await openIdleDirectory(directory, report.notice);
  const data = await readData(disk, (message) => {
    throw new AppError('data-damaged', message);
  });
  // First the buckets, so that the log, which begins the cluster, is not there without them.
  const place = await openSharedPlace(settings, 'import', patientTimes);
  try {
    const log = await openSharedLog(settings, {
      newIdentity: newIdentity(Date.now()),
      newCommit: data.sequence,
      notice: report.notice,
    });
    try {
      if (await sharedCheckpoints(place)) throw notNew();
      const position = await newPosition(log, data.sequence);
      await uploadContents(disk, data, place.objects, report);
      report.stages.begin('storing the checkpoint', approximateBytes(data));
      const sources = checkpointSources(data, report.stages.add);
      const isShared = await shareCheckpoint(place, sources, { identity: log.identity.name, position });
      // Another import has ended first.
      if (!isShared) throw notNew();
      return data.sequence;
    } finally {
      await log.abandon();
    }
  } finally {
    await place.close();
  }
}

/** Returns the place where a new log begins. Error `bad-arguments` if the log is not new. */
async function newPosition(log: JetStreamLog, commit: number): Promise<LogPosition> {
  try {
    await log.replay(commit + 1, () => {
      throw notNew();
    });
  } catch (error) {
    // Checkpoints cover its beginning.
    throw wasPurged(error) ? notNew() : error;
  }
  if (log.position.commit !== commit) throw notNew();
  return log.position;
}

function notNew(): AppError {
  return new AppError(
    'bad-arguments',
    'The log has data already. Give another name at the end of the URL, or remove its stream and its buckets with the tools of NATS.',
  );
}

async function uploadContents(
  disk: Disk,
  { writer }: ReadData,
  objects: ObjectBucket,
  { stages }: CommandReport,
): Promise<void> {
  const contents = referencedContent(writer.reader());
  stages.begin(
    'storing content',
    contents.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  for (const { digest, bytes } of contents) {
    const name = contentObject(digest);
    const found = await objects.find(name);
    if (found?.digest === digest) stages.add(bytes);
    else await objects.put({ name, digest }, counted(contentBytes(disk, digest), stages.add));
  }
}

/** Throws `data-damaged` if there is no such file. */
async function* contentBytes(disk: Disk, digest: string): AsyncGenerator<Uint8Array> {
  const path = contentPath(digest);
  try {
    yield* fileBytes(disk, path);
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw error;
    throw new AppError('data-damaged', `The content file ${path} is missing.`, {}, error);
  }
}

function approximateBytes({ writer }: ReadData): number {
  const { quadCount } = writer.reader();
  return 42 * quadCount;
}

/** The image and the manifest of a checkpoint, as a server would write them. */
function checkpointSources({ writer, graphs, sequence }: ReadData, onBytes: OnBytes): CheckpointSource[] {
  const name = newCheckpointName(sequence);
  const { imageFile, manifestFile } = checkpointFiles(name);
  const snapshot = writer.descriptor;
  const digester = new PieceDigester(PIECE_BYTES);
  const image = async function* () {
    for (const chunk of imageChunks(snapshot)) {
      digester.update(chunk);
      yield chunk;
    }
  };
  const manifest = async function* () {
    yield Buffer.from(
      manifestText({
        ...name,
        quadCount: writer.reader().quadCount,
        graphs: [...graphs.entries()],
        // The directory does not tell when its newest commit was.
        time: Date.now(),
        image: digester.digests(),
        needsNewFormat: termsNeedNewFormat(snapshot.dictionary),
      }),
    );
  };
  return [
    { name: imageFile, bytes: () => counted(image(), onBytes) },
    { name: manifestFile, bytes: manifest },
  ];
}
