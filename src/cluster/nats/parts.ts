/**
 * The format of the messages in the stream. A *group* is what one `append` writes. Its bytes are
 * its records one after another:
 *
 *     0  4  length of the payload, little-endian
 *     4     payload
 *
 * A *part* is one message with a range of these bytes. A group has one part if it is small, several
 * in an atomic batch if it is larger, and one without bytes, which names an object, if it is huge.
 * The first part of the log is the *genesis*: it has no records, and its bytes are the identity.
 *
 * The headers of a part are ASCII:
 *
 *     Pathpool-Commits    5-7      numbers of the first and last record of the group
 *     Pathpool-Part       1/3      number of the part, from 1, and how many parts the group has
 *     Pathpool-Id                  of the group; no other group has it
 *     Pathpool-State               digest of the data before the group; may be empty
 *     Pathpool-Object              of a huge group: SHA-256 of the bytes, and the object's name
 *     Pathpool-Previous            hash of the part before; empty in the genesis
 *     Pathpool-Hash                hash of this part: SHA-256 of the headers above and the bytes
 *     Pathpool-Format              of a later format: its number; messages of format 1 have none
 *
 * So the parts are a chain: a reader that knows the hash of one part can tell whether the next one
 * is the next one, and whether it is as it was written. Hashes are in base64url. Messages without
 * any of these headers are not in the chain; they may be between groups.
 */
import { createHash } from 'node:crypto';
import { type JournalRecord, payloadLength } from '../../journal/record.ts';

/** The limit for the bytes of a part, so that a message fits in the default of 1 MiB. */
export const PART_BYTES = 512 * 1024;

/** Before each record of a group. */
export const LENGTH_BYTES = 4;

/** The headers of a part. */
const FIELDS = ['Commits', 'Part', 'Id', 'State', 'Object', 'Previous', 'Hash'].map(
  (name) => `Pathpool-${name}`,
);

const FORMAT_FIELD = 'Pathpool-Format';

/** What all parts of a group have in common. */
export interface GroupHead {
  /** Numbers of the first and last record. */
  readonly first: number;
  readonly last: number;
  readonly id: string;
  /** Digest of the data before the group. */
  readonly state: string;
  /** Where the bytes are if they are not in the parts. */
  readonly object?: ObjectReference | undefined;
}

export interface ObjectReference {
  readonly name: string;
  /** SHA-256 in base64url. */
  readonly digest: string;
}

export interface PartHead extends GroupHead {
  /** From 1 to `count`. */
  readonly part: number;
  readonly count: number;
  /** Hash of the part before. */
  readonly previous: string;
}

export interface Part {
  readonly head: PartHead;
  readonly hash: string;
  readonly body: Uint8Array;
}

/** Headers of a message, as the client of NATS has them: '' for one that is absent. */
export interface HeaderFields {
  get(name: string): string;
}

/** The format of messages that do not name one, the only one that this release reads. */
export const MESSAGE_FORMAT = 1;
/** What is said of a message of a later format. */
const NEWER =
  'it has a newer format: a newer release of Pathpool has written it. Use that release or a newer one';

/** What is said of a message without any header of a part: another program has published it. */
export const FOREIGN = 'a message of another program';

/** Why a message is not the next part of the log. */
export type PartFault =
  | 'missing'
  | typeof FOREIGN
  | typeof NEWER
  | 'no part of a log of Pathpool'
  | 'changed'
  | 'not the next part';

/** The bytes of a group, in pieces; payloads are not copied. Error `too-large`. */
export function groupBytes(records: readonly JournalRecord[]): Uint8Array[] {
  const lengths = Buffer.allocUnsafe(LENGTH_BYTES * records.length);
  return records.flatMap((record, index) => {
    lengths.writeUInt32LE(payloadLength(record), LENGTH_BYTES * index);
    return [lengths.subarray(LENGTH_BYTES * index, LENGTH_BYTES * (index + 1)), ...record.payload];
  });
}

export function totalLength(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0);
}

/** The parts of a group whose bytes are in the log. `previous`: hash of the part before them. */
export function partsOf(head: GroupHead, pieces: readonly Uint8Array[], previous: string): Part[] {
  const bodies = cut(pieces);
  let before = previous;
  return bodies.map((body, index) => {
    const part = sealed({ ...head, part: index + 1, count: bodies.length, previous: before }, body);
    before = part.hash;
    return part;
  });
}

/** Joins small pieces and cuts large ones, into bodies of at most `PART_BYTES`; at least one. */
function cut(pieces: readonly Uint8Array[]): Uint8Array[] {
  const total = totalLength(pieces);
  const bodies: Buffer[] = [];
  for (let at = 0; at < total || at === 0; at += PART_BYTES) {
    bodies.push(Buffer.allocUnsafe(Math.min(PART_BYTES, total - at)));
  }
  let at = 0;
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; ) {
      const body = bodies[Math.floor(at / PART_BYTES)]!;
      const offset = at % PART_BYTES;
      const length = Math.min(piece.length - from, body.length - offset);
      body.set(piece.subarray(from, from + length), offset);
      from += length;
      at += length;
    }
  }
  return bodies;
}

function sealed(head: PartHead, body: Uint8Array): Part {
  return { head, hash: hashOf(head, body), body };
}

/** The headers of a part, by name. */
export function fieldsOf({ head, hash }: Part): [string, string][] {
  return [...hashedFields(head), ['Pathpool-Hash', hash]];
}

/** The headers that the hash covers. */
function hashedFields(head: PartHead): [string, string][] {
  const { object } = head;
  return [
    ['Pathpool-Commits', `${head.first}-${head.last}`],
    ['Pathpool-Part', `${head.part}/${head.count}`],
    ['Pathpool-Id', head.id],
    ['Pathpool-State', head.state],
    ...(object ? [['Pathpool-Object', `${object.digest} ${object.name}`] as [string, string]] : []),
    ['Pathpool-Previous', head.previous],
  ];
}

function hashOf(head: PartHead, body: Uint8Array): string {
  const hash = createHash('sha256');
  hash.update(
    hashedFields(head)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join(''),
  );
  return hash.update(body).digest('base64url');
}

/** Whether a message has no header of a part, not even a wrong one. */
export function isForeign(fields: HeaderFields): boolean {
  return [FORMAT_FIELD, ...FIELDS].every((name) => fields.get(name) === '');
}

/**
 * Reads a message as a part. It is as it was written, but not necessarily the next one.
 */
export function readPart(fields: HeaderFields, body: Uint8Array): Part | PartFault {
  const format = fields.get(FORMAT_FIELD);
  if (format !== '' && format !== String(MESSAGE_FORMAT)) return NEWER;
  if (isForeign(fields)) return FOREIGN;
  const [, first, last] = /^(\d+)-(\d+)$/.exec(fields.get('Pathpool-Commits')) ?? [];
  const [, part, count] = /^(\d+)\/(\d+)$/.exec(fields.get('Pathpool-Part')) ?? [];
  const hash = fields.get('Pathpool-Hash');
  if (first === undefined || part === undefined || hash === '') return 'no part of a log of Pathpool';
  const [, digest, name] = /^(\S+) (.+)$/.exec(fields.get('Pathpool-Object')) ?? [];
  const head: PartHead = {
    first: Number(first),
    last: Number(last),
    id: fields.get('Pathpool-Id'),
    state: fields.get('Pathpool-State'),
    object: digest === undefined ? undefined : { digest, name: name! },
    part: Number(part),
    count: Number(count),
    previous: fields.get('Pathpool-Previous'),
  };
  return hashOf(head, body) === hash ? { head, hash, body } : 'changed';
}

/** Reads a message as the part that follows the one with this hash. */
export function readNextPart(fields: HeaderFields, body: Uint8Array, previous: string): Part | PartFault {
  const part = readPart(fields, body);
  return typeof part === 'object' && part.head.previous !== previous ? 'not the next part' : part;
}

/**
 * The payloads of a group's records: views of its bytes, unless a payload is in several pieces.
 * Undefined if the bytes are not those of `count` records.
 */
export function payloadsOf(pieces: readonly Uint8Array[], count: number): Uint8Array[] | undefined {
  const reader = new PieceReader(pieces);
  const payloads: Uint8Array[] = [];
  while (payloads.length < count) {
    const length = reader.read(LENGTH_BYTES);
    const payload = length && reader.read(new DataView(length.buffer, length.byteOffset).getUint32(0, true));
    if (!payload) return undefined;
    payloads.push(payload);
  }
  return reader.isAtEnd ? payloads : undefined;
}

/** Reads ranges of bytes that are in pieces. */
class PieceReader {
  readonly #pieces: readonly Uint8Array[];
  #piece = 0;
  #offset = 0;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
  }

  get isAtEnd(): boolean {
    this.#skipEnds();
    return this.#piece === this.#pieces.length;
  }

  /** The next bytes, or undefined if there are fewer. */
  read(length: number): Uint8Array | undefined {
    this.#skipEnds();
    const current = this.#pieces[this.#piece];
    if (current && current.length - this.#offset >= length) {
      this.#offset += length;
      return current.subarray(this.#offset - length, this.#offset);
    }
    return this.#join(length);
  }

  #join(length: number): Uint8Array | undefined {
    if (length > this.#remaining) return undefined;
    const joined = new Uint8Array(length);
    for (let at = 0; at < length; this.#skipEnds()) {
      const current = this.#pieces[this.#piece]!;
      const taken = current.subarray(this.#offset, this.#offset + length - at);
      joined.set(taken, at);
      at += taken.length;
      this.#offset += taken.length;
    }
    return joined;
  }

  get #remaining(): number {
    const rest = this.#pieces.slice(this.#piece);
    return rest.reduce((sum, { length }) => sum + length, -this.#offset);
  }

  #skipEnds(): void {
    while (this.#piece < this.#pieces.length && this.#offset === this.#pieces[this.#piece]!.length) {
      this.#piece++;
      this.#offset = 0;
    }
  }
}
