/**
 * A second opinion on what a data directory holds: its files, read here by readers of our own, in an Oxigraph store. What
 * the store shows must be the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from 'oxigraph';
import { serializeRdf } from '../../src/rdf/serialize.ts';
import { readImage } from '../../src/snapshot/image.ts';
import { SnapshotWriter } from '../../src/snapshot/writer.ts';

const N_QUADS = 'application/n-quads';
/** Of the format of the journal, see `journal/record.ts`. */
const HEADER_BYTES = 36;
const HEAD_BYTES = 32;
const LENGTH_AT = 16;
const SEQUENCE_AT = 24;

/** The files of a data directory. */
export interface Files {
  names(): readonly string[];
  bytesOf(name: string): Uint8Array;
}

export function filesIn(directory: string): Files {
  return {
    names: () => readdirSync(directory),
    bytesOf: (name) => readFileSync(join(directory, name)),
  };
}

/** The quads of the newest checkpoint with the journal after it, as sorted lines of N-Quads. */
export async function oracleLines(files: Files): Promise<string[]> {
  const store = new Store();
  try {
    const checkpointed = await loadCheckpoint(store, files);
    for (const name of namesLike(files, /^journal-\d+\.log$/)) {
      for (const { sequence, payload } of recordsOf(Buffer.from(files.bytesOf(name)))) {
        if (sequence > checkpointed) applyPatch(store, withRows(files, payload));
      }
    }
    return linesOf(unskolemised(store.dump({ format: N_QUADS })));
  } finally {
    (store as unknown as { free(): void }).free();
  }
}

function namesLike(files: Files, pattern: RegExp): string[] {
  return files
    .names()
    .filter((name) => pattern.test(name))
    .sort();
}

/** The number of its newest commit. */
async function loadCheckpoint(store: Store, files: Files): Promise<number> {
  const manifest = namesLike(files, /^checkpoint-\d+\.json$/).at(-1);
  if (manifest === undefined) return 0;
  const stem = manifest.slice(0, -'.json'.length);
  const hasQuads = files.names().includes(`${stem}.nq`);
  const text = hasQuads
    ? Buffer.from(files.bytesOf(`${stem}.nq`)).toString()
    : await quadsOfImage(files.bytesOf(`${stem}.image`));
  load(store, linesOf(text));
  return Number(stem.slice('checkpoint-'.length));
}

async function quadsOfImage(bytes: Uint8Array): Promise<string> {
  let at = 0;
  const stored = await readImage(bytes.length, (target) => {
    const piece = bytes.subarray(at, at + target.length);
    target.set(piece);
    at += piece.length;
    return piece.length;
  });
  const quads = new SnapshotWriter(stored).reader().allQuads();
  return Buffer.concat([...serializeRdf(quads, { mediaType: N_QUADS })]).toString();
}

/** Up to the end, or to where a write was interrupted that nobody was told of. */
function* recordsOf(bytes: Buffer): Generator<{ readonly sequence: number; readonly payload: string }> {
  for (let at = HEADER_BYTES; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + LENGTH_AT);
    if (end > bytes.length) return;
    const sequence = Number(bytes.readBigUInt64LE(at + SEQUENCE_AT));
    yield { sequence, payload: bytes.toString('utf8', at + HEAD_BYTES, end) };
    at = end;
  }
}

/** A payload may have its rows in a file of their own. */
function withRows(files: Files, payload: string): string {
  const [, name] = /^F "([^"]+)"/m.exec(payload) ?? [];
  return name === undefined ? payload : Buffer.from(files.bytesOf(name)).toString();
}

/** Rows that follow one another and do the same are done together. */
function applyPatch(store: Store, payload: string): void {
  let rows: string[] = [];
  let letter = '';
  const flush = () => {
    if (rows.length > 0) (letter === 'A' ? load : remove)(store, rows);
    rows = [];
  };
  for (const line of payload.split('\n')) {
    const isRow = line.startsWith('A ') || line.startsWith('D ');
    if (!isRow) continue;
    if (line[0] !== letter) flush();
    letter = line[0] as string;
    rows.push(line.slice(2));
  }
  flush();
}

function load(store: Store, rows: readonly string[]): void {
  const text = rows.map((row) => `${termsOf(row).join(' ')} .\n`).join('');
  store.load(text, { format: N_QUADS, lenient: true });
}

function remove(store: Store, rows: readonly string[]): void {
  const quads = rows.map((row) => {
    const [subject, predicate, object, graph] = termsOf(row);
    return `GRAPH ${graph} { ${subject} ${predicate} ${object} }`;
  });
  store.update(`DELETE DATA { ${quads.join('\n')} }`);
}

/**
 * The terms of a row, with IRIs in place of blank nodes: Oxigraph would give each blank node a new
 * label when it loads it.
 */
function termsOf(row: string): string[] {
  const terms = row.match(/<[^>]*>|_:\S+|"[^"\\]*(?:\\.[^"\\]*)*"(?:@\S+|\^\^<[^>]*>)?/g) ?? [];
  return terms.map((term) => (term.startsWith('_:') ? `<urn:x-oracle:${term.slice(2)}>` : term));
}

function unskolemised(nquads: string): string {
  return nquads.replaceAll(/<urn:x-oracle:([^>]+)>/g, '_:$1');
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean).sort();
}
