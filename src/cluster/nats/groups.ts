import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { JournalError } from '../../journal/errors.ts';
import type { ObjectBucket } from '../objects/bucket.ts';
import { type GroupHead, type ObjectReference, type Part, payloadsOf } from './parts.ts';
import { unavailable } from './patience.ts';

/** The records of one `append`, complete. */
export interface Group {
  readonly head: GroupHead;
  readonly payloads: readonly Uint8Array[];
}

/** Where the bytes of huge groups are. */
export type GroupObjects = Pick<ObjectBucket, 'clock' | 'find' | 'list' | 'put' | 'read' | 'remove'>;

/** Objects with the bytes of huge groups begin with this; the number of the last record follows. */
const PREFIX = 'log/';

/** Makes groups of parts, which must come in order, each of them verified. */
export class GroupReader {
  readonly #objects: GroupObjects;
  #pieces: Uint8Array[] = [];

  constructor(objects: GroupObjects) {
    this.#objects = objects;
  }

  /** Whether there are parts of a group that is not complete. */
  get isInGroup(): boolean {
    return this.#pieces.length > 0;
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

  async #download(head: GroupHead, object: ObjectReference): Promise<Uint8Array[]> {
    try {
      return await inJournal(() => this.#read(object).catch((error) => this.#readAgain(object, error)));
    } catch (error) {
      this.#pieces.pop();
      const problem = error instanceof AppError && problems.get(error.code);
      throw problem ? damaged(head, `the object ${object.name} ${problem}`) : error;
    }
  }

  /** After the bytes of one log server were wrong, those of another one are read. */
  #readAgain(object: ObjectReference, error: unknown): Promise<Uint8Array[]> {
    const isDamaged = error instanceof AppError && error.code === 'data-damaged';
    return isDamaged ? this.#read(object) : Promise.reject(error);
  }

  async #read({ name, digest }: ObjectReference): Promise<Uint8Array[]> {
    const object = await this.#objects.find(name);
    if (!object) throw new AppError('not-found', `There is no object ${name}.`);
    const pieces: Uint8Array[] = [];
    for await (const piece of this.#objects.read(object)) pieces.push(piece);
    if (digestOf(pieces) === digest) return pieces;
    throw new AppError('data-damaged', `The object ${name} has other bytes.`);
  }
}

/** What is wrong with an object, by the code of the error. */
const problems: ReadonlyMap<string, string> = new Map([
  ['not-found', 'is missing'],
  ['data-damaged', 'was changed'],
]);

/** Stores the bytes of a huge group as an object. Error `unavailable`. */
export async function upload(
  objects: GroupObjects,
  { last, id }: GroupHead,
  pieces: readonly Uint8Array[],
): Promise<ObjectReference> {
  const name = `${PREFIX}${last}/${id}`;
  await inJournal(() => objects.put({ name }, inTurn(pieces)));
  return { name, digest: digestOf(pieces) };
}

/** Removes the object of a group that was not written. */
export async function removeUpload(objects: GroupObjects, { name }: ObjectReference): Promise<void> {
  const object = await objects.find(name);
  if (object) await objects.remove(object);
}

/**
 * Removes the objects of groups whose records have these numbers or lower ones. Pieces of objects
 * that are not complete are removed with those of other uploads (`ObjectBucket.removeUnfinished`).
 */
export async function removeUploads(objects: GroupObjects, last: number): Promise<void> {
  for await (const object of objects.list(PREFIX)) {
    if (Number.parseInt(object.name.slice(PREFIX.length), 10) <= last) await objects.remove(object);
  }
}

/** The bytes of all of these objects together. */
export async function objectBytes(objects: GroupObjects): Promise<number> {
  let total = 0;
  for await (const { bytes } of objects.list(PREFIX)) total += bytes;
  return total;
}

async function* inTurn(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Runs an action on objects. What an operator, or waiting, can end is `unavailable`. */
async function inJournal<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    const isOfServers = error instanceof AppError && ['unavailable', 'store-full'].includes(error.code);
    throw isOfServers ? unavailable(error) : error;
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
