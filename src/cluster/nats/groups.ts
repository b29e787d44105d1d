import { createHash } from 'node:crypto';
import type { ObjectStore } from '@nats-io/obj';
import { deadline } from '@nats-io/transport-node';
import { JournalError } from '../../journal/errors.ts';
import { type GroupHead, type ObjectReference, PART_BYTES, type Part, payloadsOf } from './parts.ts';
import { persistently } from './patience.ts';

/** The records of one `append`, complete. */
export interface Group {
  readonly head: GroupHead;
  readonly payloads: readonly Uint8Array[];
}

/** After this time without bytes of an object, it is read again. */
const STALL_MS = 10_000;

/** Objects with the bytes of huge groups begin with this; the number of the last record follows. */
const PREFIX = 'log/';

/** Makes groups of parts, which must come in order, each of them verified. */
export class GroupReader {
  readonly #objects: Pick<ObjectStore, 'get'>;
  readonly #stallMs: number;
  #pieces: Uint8Array[] = [];

  constructor(objects: Pick<ObjectStore, 'get'>, stallMs = STALL_MS) {
    this.#objects = objects;
    this.#stallMs = stallMs;
  }

  /** Forgets the parts of a group that is not complete. */
  reset(): void {
    this.#pieces = [];
  }

  /**
   * Returns the group that a part completes. Error `data-damaged` if the part does not follow the
   * ones before it, or an object is not as it was written; `unavailable`.
   */
  async add({ head, body }: Part): Promise<Group | undefined> {
    if (head.part !== this.#pieces.length + 1) throw damaged(head, 'a part of them is missing');
    this.#pieces.push(body);
    if (head.part < head.count) return undefined;
    const { object } = head;
    const pieces = object ? await this.#download(head, object) : this.#pieces;
    const payloads = payloadsOf(pieces, head.last - head.first + 1);
    this.#pieces = [];
    if (!payloads) throw damaged(head, 'their lengths are wrong');
    return { head, payloads };
  }

  async #download(head: GroupHead, { name, digest }: ObjectReference): Promise<Uint8Array[]> {
    const pieces = await persistently(async () => {
      const found = await this.#objects.get(name);
      if (!found) throw damaged(head, `the object ${name} is missing`);
      // It tells again what the data end with.
      found.error.catch(() => {});
      return chunksOf(found.data, this.#stallMs);
    }).catch((error: unknown) => {
      this.#pieces.pop();
      throw error;
    });
    if (digestOf(pieces) !== digest) throw damaged(head, `the object ${name} was changed`);
    return pieces;
  }
}

/** Reads a stream to its end. Throws a `TimeoutError` if the next chunk takes too long. */
async function chunksOf(data: ReadableStream<Uint8Array>, stallMs: number): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const reader = data.getReader();
  try {
    for (;;) {
      const { done, value } = await deadline(reader.read(), stallMs);
      if (done) return chunks;
      chunks.push(value);
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** Stores the bytes of a huge group as an object. */
export async function upload(
  objects: ObjectStore,
  { last, id }: GroupHead,
  pieces: readonly Uint8Array[],
): Promise<ObjectReference> {
  const name = `${PREFIX}${last}/${id}`;
  // Each chunk is acknowledged before the next one, so they are as large as messages may be.
  const options = { max_chunk_size: PART_BYTES };
  await objects.put({ name, options }, ReadableStream.from(pieces));
  return { name, digest: digestOf(pieces) };
}

/** Removes the objects of groups whose records have these numbers or lower ones. */
export async function removeUploads(objects: ObjectStore, last: number): Promise<void> {
  for (const { name } of await objects.list()) {
    const number = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN;
    if (number <= last) await objects.delete(name);
  }
}

function digestOf(pieces: readonly Uint8Array[]): string {
  const hash = createHash('sha256');
  for (const piece of pieces) hash.update(piece);
  return hash.digest('base64url');
}

function damaged({ first, last }: GroupHead, problem: string): JournalError {
  const message = `The records ${first} to ${last} in the shared log can't be read: ${problem}.`;
  return new JournalError('data-damaged', message, { sequence: first });
}
