import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestorePoint } from '../../src/cli/backups/options.ts';
import { restore } from '../../src/cli/backups/restoring/restore.ts';
import { backupOnce, type RoundResult } from '../../src/cli/backups/round.ts';
import { noDisplay } from '../../src/cli/work-display.ts';
import { type NodeDisk, openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { contentPath, referencedContent } from '../../src/store/content/referenced-content.ts';
import { ContentFiles } from '../../src/store/content/storage.ts';
import type { GraphOperation, Operation } from '../../src/store/main/transaction.ts';
import type { OpenedStore } from '../../src/store/messages.ts';
import type { Store } from '../../src/store/thread/store.ts';
import {
  below,
  chance,
  oneOf,
  type Random,
  randomTransaction,
  toTransaction,
} from '../simulation/random-transactions.ts';
import { commitBig } from './big-write.ts';
import { create, ROOT } from './ldp-store.ts';
import type { Scope } from './scope.ts';
import { commit, contentOf, maintain, merge, type OpenOptions, openOn } from './stores.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** All that a commit has: quads, also those of the registries, graphs, and content. */
interface State {
  readonly quads: readonly string[];
  readonly graphs: OpenedStore['graphs'];
  readonly contents: readonly string[];
  readonly time: number;
}

const SECOND_MS = 1_000;
const FIRST_TIME = 1_760_000_000_000;

/**
 * A store in a real directory, with a clock that counts commits, and the states of all commits; and
 * a repository with backups of it.
 */
export class BackedUpStore {
  readonly states = new Map<number, State>();
  readonly notices: string[] = [];
  readonly repository: string;
  readonly directory: string;
  clock = FIRST_TIME;
  store: Store;
  /** Content that was there when a backup was made. */
  readonly saved = new Set<string>();
  readonly #files: ContentFiles;
  readonly #options: OpenOptions;
  readonly #disk: NodeDisk;
  readonly #scope: Scope;

  static async open(scope: Scope, options: OpenOptions = {}): Promise<BackedUpStore> {
    const directory = await temporaryDirectory(scope);
    const repository = join(await temporaryDirectory(scope), 'backups');
    const disk = await openNodeDisk(directory);
    const files = await ContentFiles.open(join(directory, 'content'));
    const opened = await openOn(disk, { ...options, now: () => FIRST_TIME });
    const parts = { directory, repository, disk, files, options, scope };
    const all = new BackedUpStore(parts, opened);
    await all.reopen();
    scope.after(() => all.store.close().catch(() => {}));
    return all;
  }

  private constructor(
    parts: {
      directory: string;
      repository: string;
      disk: NodeDisk;
      files: ContentFiles;
      options: OpenOptions;
      scope: Scope;
    },
    store: Store,
  ) {
    this.directory = parts.directory;
    this.repository = parts.repository;
    this.#disk = parts.disk;
    this.#files = parts.files;
    this.#options = parts.options;
    this.#scope = parts.scope;
    this.store = store;
  }

  /** Number of the newest commit. */
  get newest(): number {
    return openSnapshot(this.store.opened().snapshot).sequence;
  }

  async reopen(): Promise<void> {
    await this.store.close();
    await this.start();
  }

  /** Opens the directory again after the store was closed. */
  async start(): Promise<void> {
    this.store = await openOn(this.#disk, { ...this.#options, now: () => this.clock });
    this.note();
  }

  /** Remembers the state of the newest commit. */
  note(): void {
    const { graphs, snapshot } = this.store.opened();
    const reader = openSnapshot(snapshot);
    if (this.states.has(reader.sequence)) return;
    this.states.set(reader.sequence, {
      quads: contentOf(this.store),
      graphs: byName(graphs),
      contents: referencedContent(reader)
        .map(({ digest }) => digest)
        .sort(),
      time: this.clock,
    });
  }

  async commit(...operations: Operation[]): Promise<void> {
    this.clock += SECOND_MS;
    await commit(this.store, ...operations);
    this.note();
  }

  add(value: string): Promise<void> {
    return this.commit(merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
  }

  /** Stores content, or replaces it, and removes the file of the earlier one. */
  async put(resource: string, text: string | null): Promise<void> {
    const before = this.#contents();
    if (text === null) await this.commit({ kind: 'content', resource, content: null });
    else {
      const file = await this.#files.write(bytesOf(text));
      const content = { ...file, contentType: 'text/plain', modified: this.clock };
      await this.commit({ kind: 'content', resource, content });
      this.#files.unpin(file.digest);
    }
    const after = this.#contents();
    for (const digest of before) await this.#files.release(digest, () => after.has(digest));
  }

  /** Makes a checkpoint if the store wants one. */
  async maintain(): Promise<void> {
    while ((await maintain(this.store, this.#disk)) !== 'nothing');
  }

  async big(operation: GraphOperation): Promise<void> {
    this.clock += SECOND_MS;
    const answer = await commitBig(this.store, this.#disk, { preconditions: [], operations: [operation] });
    assert.ok(answer.ok);
    this.note();
  }

  /** One of the things that a server may do. */
  async step(random: Random): Promise<void> {
    const choice = random();
    if (choice < 0.55) {
      this.clock += SECOND_MS;
      await this.store.commit([toTransaction(randomTransaction(random, () => 'none'))]);
      this.note();
    } else if (choice < 0.7) {
      const text = chance(random, 0.3) ? null : `text ${below(random, 5)}`;
      await this.put(`urn:x:r${below(random, 3)}`, text);
    } else if (choice < 0.78) {
      const rows = [1e6, 1e6, 9].map((limit) => `<urn:s> <urn:p> "${below(random, limit)}" .`);
      await this.big(merge('urn:x:big', rows.join('\n')));
    } else if (choice < 0.86) {
      const program = `p${below(random, 3)}`;
      const definition = `{"text":"${below(random, 3)}"}`;
      await this.commit(
        chance(random, 0.7)
          ? { kind: 'store-program', program, definition }
          : { kind: 'remove-program', program },
      );
    } else if (choice < 0.95) await this.maintain();
    else await this.reopen();
  }

  /** Creates the root container, and resources in it. */
  async ldp(): Promise<void> {
    await this.commit({ kind: 'ldp-root', target: ROOT, label: 'Root' });
    await this.commit(create(`${ROOT}/a`, { model: 'basic', body: `<${ROOT}/a> <urn:p> "1" .` }));
    await this.commit(create(`${ROOT}/a/b`, { body: `<${ROOT}/a/b> <urn:p> "2" .` }));
    await this.commit({ kind: 'ldp-delete', target: `${ROOT}/a/b` });
  }

  async backUp(): Promise<RoundResult> {
    this.clock += SECOND_MS;
    const task = { directory: this.directory, repository: this.repository, keep: undefined };
    const notice = (message: string) => void this.notices.push(message);
    const { signal } = new AbortController();
    const result = await backupOnce(task, { notice, display: noDisplay, signal, now: () => this.clock });
    for (const digest of await this.#digests()) this.saved.add(digest);
    return result;
  }

  /** Restores, and compares everything with the state that the commit had. */
  async verify(point: RestorePoint, expected: number, from = this.repository): Promise<void> {
    const target = join(await temporaryDirectory(this.#scope), 'restored');
    const watcher = { notice: () => {}, display: noDisplay, now: () => this.clock };
    const { commit: restored, missing } = await restore({ from, target, point }, watcher);
    assert.equal(restored, expected);
    const state = this.states.get(expected)!;
    const store = await openOn(await openNodeDisk(target));
    const { graphs, identity } = store.opened();
    assert.deepEqual(contentOf(store), state.quads, `commit ${expected}`);
    assert.deepEqual(byName(graphs), state.graphs);
    assert.notEqual(identity.name, this.store.opened().identity.name);
    await store.close();
    const names = await digestsIn(target);
    const lost = state.contents.filter((digest) => !this.saved.has(digest));
    assert.deepEqual(missing.map(({ digest }) => digest).sort(), lost);
    assert.deepEqual(
      names.toSorted(),
      state.contents.filter((digest) => this.saved.has(digest)),
    );
    await rm(target, { recursive: true });
  }

  #contents(): Set<string> {
    const reader = openSnapshot(this.store.opened().snapshot);
    return new Set(referencedContent(reader).map(({ digest }) => digest));
  }

  #digests(): Promise<string[]> {
    return digestsIn(this.directory);
  }
}

/** Makes a random history with backups, whose last commit is in one. */
export async function randomHistory(
  scope: Scope,
  random: Random,
  options: OpenOptions & { readonly steps: number },
): Promise<BackedUpStore> {
  const { steps, ...others } = options;
  const history = await BackedUpStore.open(scope, others);
  await history.backUp();
  await history.ldp();
  for (let i = 0; i < steps; i++) {
    await history.step(random);
    if (chance(random, 0.15)) await history.backUp();
  }
  await history.backUp();
  return history;
}

/** Restores every commit, by its number or its time. */
export async function verifyAll(history: BackedUpStore, random: Random): Promise<void> {
  for (const [sequence, { time }] of history.states) {
    const byTime = { kind: 'time', time: time + below(random, SECOND_MS) } as const;
    const isFirst = sequence === 0;
    const point = isFirst
      ? undefined
      : oneOf(random, [byTime, { kind: 'commit', commit: sequence } as const]);
    await history.verify(point ?? { kind: 'commit', commit: 0 }, sequence);
  }
}

async function digestsIn(directory: string): Promise<string[]> {
  const names = await readdir(join(directory, 'content'), { recursive: true }).catch(() => []);
  const paths = names.filter((name) => /^..\/[0-9a-f]{64}$/.test(name));
  return paths.map((name) => name.slice(3)).filter((name) => contentPath(name).includes(name));
}

function byName(graphs: OpenedStore['graphs']): OpenedStore['graphs'] {
  return graphs.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}
