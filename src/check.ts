import { settings } from './config.ts';
import { openIdleDirectory } from './data-directory.ts';
import { toErrorData } from './errors.ts';
import type { Disk } from './journal/disk.ts';
import { inspectJournal } from './journal/inspect.ts';
import { recoveryTable } from './journal/recovery-table.ts';
import { readSeal, sealFile } from './journal/seal.ts';
import type { SnapshotReader } from './snapshot/reader.ts';
import { findCheckpoint, isFileOf, listCheckpointFiles } from './store/checkpoint.ts';
import { identityDamage, identityFile } from './store/identity.ts';
import { journalContext } from './store/journal-context.ts';
import { checkLdp } from './store/ldp-check.ts';
import { type ReadData, readData } from './store/load-data.ts';
import { OxigraphRecord } from './store/oxigraph-record.ts';
import { contentDamage, referencedContent } from './store/referenced-content.ts';

export interface CheckReport {
  readonly lines: readonly string[];
  readonly damaged: boolean;
}

/**
 * `pathpool check`: verifies every checksum, content files' too, loads the data as a start would, holds snapshot and record
 * against each other and the LDP space against its rules, and counts the graphs. Changes nothing. `notice` is told why it has to wait. Errors: `data-locked`, `not-found`.
 */
export async function check(
  directory: string,
  notice: (message: string) => void = () => {},
): Promise<CheckReport> {
  return checkData(await openIdleDirectory(directory, notice));
}

async function checkData(disk: Disk): Promise<CheckReport> {
  const damages: string[] = [];
  const notes: string[] = [];
  const record = new OxigraphRecord(settings.recordMax.default);
  try {
    const identity = await identityDamage(disk);
    if (identity !== undefined) damages.push(identity);
    notes.push(...(await notesOn(disk)));
    if ((await readSeal(disk)) === 'damaged') damages.push(`${sealFile} does not match its own digest`);
    const data = await readData(disk, record, (message) => damages.push(message));
    notes.push(`commit ${data.sequence}: ${record.size} quads in ${data.graphs.count} graphs`);
    damages.push(...compare(data, record), ...checkLdp(data.writer.reader()));
    damages.push(...(await contentDamages(disk, data)));
  } catch (error) {
    damages.push(toErrorData(error).message);
  }
  const lines = [...notes, ...damages.map((damage) => `damaged: ${damage}`)];
  const damaged = damages.length > 0;
  return { lines: [...lines, damaged ? 'damage was found' : 'all is well'], damaged };
}

/** What is worth saying and no damage. */
async function notesOn(disk: Disk): Promise<string[]> {
  const checkpoint = await findCheckpoint(disk);
  const { finding, movedAside } = await inspectJournal(disk, await journalContext(disk, checkpoint));
  const names = await disk.list('');
  const leftOver = (await listCheckpointFiles(disk)).filter((file) => !isFileOf(checkpoint, file));
  return [
    ...(names.includes(identityFile) ? [] : ['there is no identity.json: the next start makes a new one']),
    ...leftOver.map(({ name }) => `${name}: left by an interrupted checkpoint; the next start removes it`),
    ...movedAside.map((name) => `${name}: moved aside by an earlier recovery`),
    ...(recoveryTable[finding.case].outcome === 'truncate'
      ? [`the next start cuts: ${finding.message}`]
      : []),
  ];
}

async function contentDamages(disk: Disk, { writer }: ReadData): Promise<string[]> {
  const damages: string[] = [];
  for (const content of referencedContent(writer.reader())) {
    const damage = await contentDamage(disk, content);
    if (damage !== undefined) damages.push(damage);
  }
  return damages;
}

function compare({ writer, graphs }: ReadData, record: OxigraphRecord): string[] {
  const reader = writer.reader();
  const damages = graphs.names().flatMap((name) => {
    const found = sizeOf(reader, name);
    const told = graphs.get(name)?.size;
    return found === told ? [] : [`<${name}> holds ${found} triples; ${told} were counted`];
  });
  const inGraphs = graphs.names().reduce((sum, name) => sum + sizeOf(reader, name), 0);
  if (inGraphs !== reader.quadCount) {
    damages.push(`${reader.quadCount - inGraphs} quads are in graphs that do not exist`);
  }
  if (!record.equals(reader.allQuads(), reader.terms)) damages.push('snapshot and record differ');
  return damages;
}

function sizeOf(reader: SnapshotReader, name: string): number {
  const id = reader.find(`<${name}>`);
  return id === 0 ? 0 : reader.graphSize(id);
}
