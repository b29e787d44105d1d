import { toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk/disk.ts';
import { inspectJournal } from '../journal/inspect-journal.ts';
import { recoveryTable } from '../journal/recovery-table.ts';
import { readSeal, sealFile } from '../journal/seal.ts';
import { checkLdp } from '../ldp/store/consistency-check.ts';
import { graphTermOf } from '../rdf/model/graph-name.ts';
import type { GraphChange } from '../snapshot/graphs/table.ts';
import { openSnapshot, type SnapshotReader } from '../snapshot/read/reader.ts';
import { requireSound } from '../snapshot/soundness.ts';
import { historyNotes } from '../store/check/history-check.ts';
import { JournalAudit } from '../store/check/journal-audit.ts';
import { quadsDamages } from '../store/check/quads-check.ts';
import { structureDamages } from '../store/check/structure-check.ts';
import { findCheckpoint, isFileOf, listCheckpointFiles } from '../store/checkpoint/checkpoint.ts';
import { contentDamage, referencedContent } from '../store/content/referenced-content.ts';
import { withWholeNames } from '../store/graphs/blank-graphs.ts';
import { listPatchFiles } from '../store/patch/file.ts';
import { patchReferences } from '../store/patch/references.ts';
import { journalContext } from '../store/recovery/journal-context.ts';
import { type ReadData, readData } from '../store/recovery/load-data.ts';
import { identityDamage, identityFile } from '../store/registry/identity.ts';
import { openIdleDirectory } from './data-directory.ts';
import { ObservedDisk } from './observed-disk.ts';
import { noDisplay, type WorkDisplay } from './work-display.ts';

export interface CheckReport {
  readonly lines: readonly string[];
  readonly damaged: boolean;
}

/**
 * `pathpool check`: verifies every checksum, including those of content files, and loads the data
 * like the server. Compares the parts of the checkpoint with each other, the journal (read a second
 * time, by other code) with the snapshot, and the LDP space with its rules. Changes nothing.
 * `notice` receives the reason for a delay, and `display` the progress. Errors: `data-locked`,
 * `not-found`.
 */
export async function check(
  directory: string,
  notice: (message: string) => void = () => {},
  display: WorkDisplay = noDisplay,
): Promise<CheckReport> {
  return checkData(new ObservedDisk(await openIdleDirectory(directory, notice), display), display);
}

async function checkData(disk: Disk, display: WorkDisplay): Promise<CheckReport> {
  const damages: string[] = [];
  const notes: string[] = [];
  try {
    const identity = await identityDamage(disk);
    if (identity !== undefined) damages.push(identity);
    notes.push(...(await notesOn(disk)), ...(await historyNotes(disk)));
    if ((await readSeal(disk)) === 'damaged') damages.push(`${sealFile} does not match its own digest`);
    const audit = new JournalAudit();
    const data = await readData(
      disk,
      (message) => damages.push(message),
      (payload, { dictionary }) => audit.take(payload, (text) => dictionary.findText(text)),
    );
    const reader = data.writer.reader();
    notes.push(`commit ${data.sequence}: ${reader.quadCount} quads in ${data.graphs.count} graphs`);
    display.show('comparing the parts of the checkpoint');
    requireSound(data.stored.dictionary, data.stored.base);
    damages.push(...(await checkpointDamages(disk, data)));
    display.show('comparing the journal with the data');
    damages.push(...audit.damages(openSnapshot(data.stored), reader));
    display.show('comparing the graphs with the data');
    damages.push(...graphDamages(reader, [...data.graphs.entries()]), ...checkLdp(reader));
    damages.push(...(await contentDamages(disk, data)));
  } catch (error) {
    damages.push(toErrorData(error).message);
  }
  const lines = [...notes, ...damages.map((damage) => `damaged: ${damage}`)];
  const damaged = damages.length > 0;
  return { lines: [...lines, damaged ? 'damage was found' : 'all is well'], damaged };
}

/** Returns findings that are worth reporting but are not damage. */
async function notesOn(disk: Disk): Promise<string[]> {
  const checkpoint = await findCheckpoint(disk);
  const { finding, movedAside } = await inspectJournal(disk, await journalContext(disk, checkpoint));
  const names = await disk.list('');
  const leftOver = (await listCheckpointFiles(disk)).filter((file) => !isFileOf(checkpoint, file));
  return [
    ...(names.includes(identityFile) ? [] : ['there is no identity.json: the next start makes a new one']),
    ...leftOver.map(({ name }) => `${name}: left by an interrupted checkpoint; the next start removes it`),
    ...(await strayPatches(disk)).map(
      (name) => `${name}: left by an interrupted write; the next start removes it`,
    ),
    ...movedAside.map((name) => `${name}: moved aside by an earlier recovery`),
    ...(recoveryTable[finding.case].outcome === 'truncate'
      ? [`the next start truncates the journal: ${finding.message}`]
      : []),
  ];
}

async function strayPatches(disk: Disk): Promise<string[]> {
  const named = new Set((await patchReferences(disk)).map(({ name }) => name));
  return (await listPatchFiles(disk)).filter((name) => !named.has(name));
}

async function contentDamages(disk: Disk, { writer }: ReadData): Promise<string[]> {
  const damages: string[] = [];
  for (const content of referencedContent(writer.reader())) {
    const damage = await contentDamage(disk, content);
    if (damage !== undefined) damages.push(damage);
  }
  return damages;
}

async function checkpointDamages(disk: Disk, data: ReadData): Promise<string[]> {
  const { checkpoint, stored } = data;
  if (!checkpoint) return [];
  const reader = openSnapshot(stored);
  const { quadCount, graphs, sequence } = checkpoint;
  const counts =
    quadCount === reader.quadCount ? [] : [`${reader.quadCount} quads; ${quadCount} are recorded`];
  const damages = [
    ...counts,
    ...structureDamages(stored),
    ...graphDamages(reader, withWholeNames(graphs, reader)),
  ];
  return [
    ...damages.map((damage) => `the checkpoint at commit ${sequence}: ${damage}`),
    ...(await quadsDamages(disk, data)),
  ];
}

/** Returns the differences between the table of graphs and the data. */
function graphDamages(reader: SnapshotReader, rows: readonly GraphChange[]): string[] {
  const damages = rows.flatMap(([name, info]) => {
    const found = sizeOf(reader, name);
    return found === info?.size ? [] : [`<${name}> holds ${found} triples; ${info?.size} are recorded`];
  });
  const inGraphs = rows.reduce((sum, [name]) => sum + sizeOf(reader, name), 0);
  if (inGraphs !== reader.quadCount) {
    damages.push(`${reader.quadCount - inGraphs} quads are in graphs that do not exist`);
  }
  return damages;
}

function sizeOf(reader: SnapshotReader, name: string): number {
  const id = reader.find(graphTermOf(name));
  return id === 0 ? 0 : reader.graphSize(id);
}
