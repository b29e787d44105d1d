/**
 * A second opinion on what a data directory holds: its files, read here by readers of our own, in
 * an Oxigraph store. What the store shows must be the same.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Store } from 'oxigraph';

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
  const plain = manifest.slice(0, -'.json'.length);
  const [line = ''] = Buffer.from(files.bytesOf(manifest)).toString().split('\n');
  const { token = '' } = JSON.parse(line) as { token?: string };
  const stem = token === '' ? plain : `${plain}-${token}`;
  const hasQuads = files.names().includes(`${stem}.nq`);
  const text = hasQuads
    ? Buffer.from(files.bytesOf(`${stem}.nq`)).toString()
    : quadsOfImage(Buffer.from(files.bytesOf(`${stem}.image`)));
  load(store, linesOf(text));
  return Number(plain.slice('checkpoint-'.length));
}

/**
 * Reads the subject order of an image, see `snapshot/image/layout.ts` and
 * `snapshot/runs/base-run.ts`.
 */
function quadsOfImage(image: Buffer): string {
  const number = (at: number) => image.readDoubleLE(at);
  const [termCount, baseBytes, tableBytes] = [number(24), number(40), number(48)];
  const ends = 64;
  const base = ends + 4 * (termCount + 1) + tableBytes;
  const arena = base + baseBytes;
  const text = (id: number) => {
    const [from, to] = [image.readUInt32LE(ends + 4 * (id - 1)), image.readUInt32LE(ends + 4 * id)];
    return image.toString('utf8', arena + from, arena + to);
  };
  const word = (index: number) => image.readUInt32LE(base + 4 * index);
  const [quads, terms] = [word(0), word(1)];
  const lines: string[] = [];
  for (let subject = 1; subject <= terms; subject++) {
    for (let row = word(4 + subject); row < word(5 + subject); row++) {
      const at = 6 + terms + 3 * row;
      lines.push(`${text(subject)} ${text(word(at))} ${text(word(at + 1))} ${text(word(at + 2))} .`);
    }
  }
  if (lines.length !== quads) throw new Error(`The image has ${lines.length} of ${quads} quads.`);
  return lines.join('\n');
}

/** Yields the records up to the end, or up to an interrupted, unacknowledged write. */
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
  if (name === undefined) return payload;
  const bytes = Buffer.from(files.bytesOf(name));
  return name.endsWith('.rows') ? [...rowsOfBlocks(bytes)].join('\n') : bytes.toString();
}

/** As text; see `store/patch/row-block.ts`. */
function* rowsOfBlocks(bytes: Buffer): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const [terms, removed, added, termBytes] = [0, 4, 8, 12].map((place) =>
      bytes.readUInt32LE(at + place),
    ) as [number, number, number, number];
    const rows = at + 16 + 4 * (terms + 1);
    const texts = rows + 16 * (removed + added);
    const textOf = (place: number) => {
      const end = at + 16 + 4 * bytes.readUInt32LE(place);
      return bytes.toString('utf8', texts + bytes.readUInt32LE(end), texts + bytes.readUInt32LE(end + 4));
    };
    for (let row = 0; row < removed + added; row++) {
      const columns = [0, 4, 8, 12].map((column) => textOf(rows + 16 * row + column));
      yield `${row < removed ? 'D' : 'A'} ${columns.join(' ')} .`;
    }
    at = texts + 4 * Math.ceil(termBytes / 4);
  }
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
 * Returns the terms of a row, with IRIs in place of blank nodes: Oxigraph would relabel each blank
 * node when it loads it.
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
