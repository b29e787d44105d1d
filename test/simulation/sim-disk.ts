/**
 * A disk in memory that behaves as badly as a real one may, reproducibly for each seed.
 *
 * Reads see written data at once (the system's cache). `restart` is a power cut: of each file, the
 * synced data survive; of the unsynced data, any 512-byte sectors survive, at any size that the
 * file had since. Of each directory, each change since its last sync survives or not,
 * independently. A failed sync drops sectors from the cache's list of pending writes: a later sync
 * succeeds without them, as on Linux.
 */
import { posix } from 'node:path';
import type { Disk, DiskFile, OpenMode } from '../../src/journal/disk/disk.ts';
import { SimInode } from './sim-inode.ts';

export type SimOperation =
  | 'open'
  | 'list'
  | 'read'
  | 'append'
  | 'sync'
  | 'truncate'
  | 'rename'
  | 'remove'
  | 'syncDirectory';

export interface SimDiskOptions {
  readonly seed: number;
  /** Bytes that all files together may have. Default: no limit. */
  readonly capacity?: number;
  /** Chance of a read that returns fewer bytes than asked for. Default 0. */
  readonly shortReads?: number;
}

/** What every operation rejects with from the moment of a crash to the restart. */
export class SimCrash extends Error {
  override readonly name = 'SimCrash';
}

type Node = SimInode | 'directory';
/** A change of directory entries: an undefined node is a removal. */
interface EntryChange {
  readonly entries: readonly { readonly path: string; readonly node: Node | undefined }[];
}

export class SimDisk implements Disk {
  /** Bytes that all files together may have. */
  capacity: number;
  /** Operations so far. */
  steps = 0;
  /** Bytes that were appended, by the ends of files' names. */
  readonly appended = new Map<string, number>();

  readonly #random: () => number;
  readonly #shortReads: number;
  #entries = new Map<string, Node>([['', 'directory']]);
  #durable = new Map(this.#entries);
  #pending: EntryChange[] = [];
  #crashAt = Number.POSITIVE_INFINITY;
  #crashed = false;
  #generation = 0;
  #faults: { operation: SimOperation; code: string }[] = [];

  constructor(options: SimDiskOptions) {
    this.#random = seededRandom(options.seed);
    this.capacity = options.capacity ?? Number.POSITIVE_INFINITY;
    this.#shortReads = options.shortReads ?? 0;
  }

  /**
   * Makes the next operation of this kind fail. A failed append has written a part; a failed sync
   * has lost one.
   */
  failNext(operation: SimOperation, code = 'EIO'): void {
    this.#faults.push({ operation, code });
  }

  /** Whether it waits for a restart. */
  get crashed(): boolean {
    return this.#crashed;
  }

  /** The power goes in the midst of the operation after `steps` more. */
  crashAfter(steps: number): void {
    this.#crashAt = this.steps + steps;
  }

  /** Power cut and start: what was not synced may be lost; open files are gone. */
  restart(): void {
    for (const change of this.#pending) if (this.#random() < 0.5) this.#apply(this.#durable, change);
    this.#pending = [];
    this.#entries = new Map(this.#durable);
    for (const node of this.#entries.values()) if (node !== 'directory') node.crash(this.#random);
    this.#forget();
  }

  /** The process is killed and started again; the system, with its cache, lives on. */
  kill(): void {
    this.#forget();
  }

  /** The bytes of a file as they are, for tests that damage them. */
  bytesOf(path: string): Uint8Array {
    return this.#inode(path).bytes();
  }

  /** All files. */
  names(): string[] {
    return [...this.#entries].flatMap(([path, node]) => (node === 'directory' ? [] : [path])).sort();
  }

  /** Replaces the bytes of a file durably: damage, or what another program wrote. */
  put(path: string, bytes: Uint8Array): void {
    const inode = new SimInode();
    inode.append(bytes);
    inode.sync();
    this.#entries.set(path, inode);
    this.#durable.set(path, inode);
  }

  async open(path: string, mode: OpenMode): Promise<DiskFile> {
    const name = normalize(path);
    return this.run('open', () => {
      if (mode === 'create') this.#create(name);
      return new SimFile(this, this.#inode(name), this.#generation, posix.extname(name));
    });
  }

  async list(directory: string): Promise<string[]> {
    const name = normalize(directory);
    return this.run('list', () => {
      this.#requireDirectory(name);
      const children = [...this.#entries.keys()].filter((path) => path !== '' && parentOf(path) === name);
      return children.map((path) => posix.basename(path)).sort();
    });
  }

  async rename(from: string, to: string): Promise<void> {
    const [source, target] = [normalize(from), normalize(to)];
    return this.run('rename', () => {
      const node = this.#inode(source);
      this.#requireDirectory(parentOf(target));
      this.#change([
        { path: source, node: undefined },
        { path: target, node },
      ]);
    });
  }

  async remove(path: string): Promise<void> {
    const name = normalize(path);
    return this.run('remove', () => {
      this.#inode(name);
      this.#change([{ path: name, node: undefined }]);
    });
  }

  async syncDirectory(path: string): Promise<void> {
    const name = normalize(path);
    return this.run('syncDirectory', () => {
      this.#requireDirectory(name);
      const concerns = (change: EntryChange) => change.entries.some((entry) => parentOf(entry.path) === name);
      for (const change of this.#pending.filter(concerns)) this.#apply(this.#durable, change);
      this.#pending = this.#pending.filter((change) => !concerns(change));
    });
  }

  /**
   * Performs one operation: counts it, and lets it fail or be interrupted by a crash if that was
   * requested. `failed`: the effect of a failure; `cut`: the effect of a crash.
   */
  async run<T>(operation: SimOperation, perform: () => T, failed = nothing, cut = failed): Promise<T> {
    if (this.#crashed) throw new SimCrash('The disk is without power');
    if (this.steps++ >= this.#crashAt) {
      this.#crashed = true;
      if (this.#random() < 0.5) cut();
      else perform();
      throw new SimCrash(`Power cut during ${operation}`);
    }
    const fault = this.#faults.findIndex((each) => each.operation === operation);
    if (fault >= 0) {
      failed();
      throw posixError(this.#faults.splice(fault, 1)[0]!.code, operation);
    }
    return perform();
  }

  /** Counts what is written to files. */
  note(extension: string, bytes: number): void {
    this.appended.set(extension, (this.appended.get(extension) ?? 0) + bytes);
  }

  requireGeneration(generation: number): void {
    if (generation !== this.#generation) throw posixError('EBADF', 'the file was open before the restart');
  }

  /** How many of `bytes` more bytes there is room for. */
  roomFor(bytes: number): number {
    return Math.max(0, Math.min(bytes, this.capacity - this.used));
  }

  /** Bytes that all files have together. */
  get used(): number {
    let used = 0;
    for (const node of this.#entries.values()) if (node !== 'directory') used += node.size;
    return used;
  }

  /** How many bytes a read that could have this many returns. */
  readLength(bytes: number): number {
    if (bytes <= 1 || this.#random() >= this.#shortReads) return bytes;
    return 1 + Math.floor(this.#random() * (bytes - 1));
  }

  get random(): () => number {
    return this.#random;
  }

  #forget(): void {
    this.#generation++;
    this.#crashed = false;
    this.#crashAt = Number.POSITIVE_INFINITY;
    this.#faults = [];
  }

  #create(name: string): void {
    if (this.#entries.has(name)) throw posixError('EEXIST', name);
    this.#requireDirectory(parentOf(name));
    this.#change([{ path: name, node: new SimInode() }]);
  }

  #change(entries: EntryChange['entries']): void {
    this.#pending.push({ entries });
    this.#apply(this.#entries, { entries });
  }

  #apply(map: Map<string, Node>, { entries }: EntryChange): void {
    for (const { path, node } of entries) {
      if (node === undefined) map.delete(path);
      else if (map.get(parentOf(path)) === 'directory') map.set(path, node);
    }
  }

  #inode(path: string): SimInode {
    const node = this.#entries.get(path);
    if (node === undefined) throw posixError('ENOENT', path);
    if (node === 'directory') throw posixError('EISDIR', path);
    return node;
  }

  #requireDirectory(path: string): void {
    const node = this.#entries.get(path);
    if (node === undefined) throw posixError('ENOENT', path);
    if (node !== 'directory') throw posixError('ENOTDIR', path);
  }
}

class SimFile implements DiskFile {
  readonly #disk: SimDisk;
  readonly #inode: SimInode;
  readonly #generation: number;
  readonly #extension: string;

  constructor(disk: SimDisk, inode: SimInode, generation: number, extension: string) {
    this.#extension = extension;
    this.#disk = disk;
    this.#inode = inode;
    this.#generation = generation;
  }

  async size(): Promise<number> {
    this.#disk.requireGeneration(this.#generation);
    return this.#inode.size;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    this.#disk.requireGeneration(this.#generation);
    return this.#disk.run('read', () => {
      const available = Math.max(0, Math.min(target.length, this.#inode.size - offset));
      const length = this.#disk.readLength(available);
      target.set(this.#inode.bytes().subarray(offset, offset + length));
      return length;
    });
  }

  async append(chunks: readonly Uint8Array[]): Promise<void> {
    this.#disk.requireGeneration(this.#generation);
    const bytes = Buffer.concat(chunks);
    const part = () => this.#inode.append(bytes.subarray(0, Math.floor(this.#disk.random() * bytes.length)));
    return this.#disk.run(
      'append',
      () => {
        const room = this.#disk.roomFor(bytes.length);
        this.#disk.note(this.#extension, room);
        this.#inode.append(bytes.subarray(0, room));
        if (room < bytes.length) throw posixError('ENOSPC', 'append');
      },
      part,
    );
  }

  async sync(): Promise<void> {
    this.#disk.requireGeneration(this.#generation);
    const fail = () => this.#inode.failSync(this.#disk.random);
    return this.#disk.run('sync', () => this.#inode.sync(), fail, nothing);
  }

  async truncate(size: number): Promise<void> {
    this.#disk.requireGeneration(this.#generation);
    return this.#disk.run('truncate', () => this.#inode.truncate(size));
  }

  async close(): Promise<void> {}
}

function nothing(): void {}

function normalize(path: string): string {
  const absolute = posix.resolve('/data', path);
  const inside = absolute === '/data' || absolute.startsWith('/data/');
  if (!inside || path.includes('\0'))
    throw new RangeError(`The path ${JSON.stringify(path)} leaves the data directory`);
  return absolute.slice('/data/'.length);
}

function parentOf(path: string): string {
  const parent = posix.dirname(path);
  return parent === '.' ? '' : parent;
}

function posixError(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
