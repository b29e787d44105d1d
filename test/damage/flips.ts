/**
 * Flips bits and bytes of real data directories, and starts on each. A start is refused with a
 * message that says what is damaged and changes nothing, or what it serves is exactly right. What
 * can't be told from a crash is dropped with a notice.
 */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { type CheckReport, check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { lockDirectory } from '../../src/journal/lock/lock.ts';
import { ContentService } from '../../src/services/content/content.ts';
import { ResourceIndex } from '../../src/services/resources/existence.ts';
import { GraphTable } from '../../src/snapshot/graphs/table.ts';
import { ContentFiles } from '../../src/store/content/storage.ts';
import { openStore } from '../../src/store/recovery/open-store.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { below, chance, oneOf, type Random } from '../simulation/random-transactions.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import type { StoreModel } from '../simulation/store-model.ts';
import { filesIn, oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, merge, openOn } from '../support/stores.ts';
import { type Kind, Subject } from './subject.ts';
import { contents, type Ending, plannedModels } from './subject-plan.ts';

interface Flip {
  readonly path: string;
  readonly at: number;
  readonly mask: number;
}

/**
 * `refused`: the start, or the read of a content; `right`: all of it; `cut`: all but what the last
 * group had from there on, with a notice.
 */
type Outcome = 'refused' | 'right' | 'cut';

export async function runFlips(
  context: TestContext,
  options: { readonly count: number; readonly seed: number; readonly kinds: readonly Kind[] },
): Promise<void> {
  const random = seededRandom(options.seed);
  const subjects = [await Subject.create(context, 'closed'), await Subject.create(context, 'killed')];
  const counts: Record<string, number> = {};
  for (let i = 0; i < options.count; i++) {
    const kind = options.kinds[i % options.kinds.length]!;
    const subject = oneOf(
      random,
      subjects.filter((each) => each.filesOf(kind).length > 0),
    );
    const flip = randomFlip(random, subject, kind);
    const message = `${JSON.stringify(flip)} of a directory that was ${subject.ending}`;
    const outcome = await outcomeOf(subject, flip, kind).catch((error: Error) => {
      throw new Error(`seed ${options.seed}, flip ${i}: ${message}: ${error.stack}`, { cause: error });
    });
    const name = `${kind} ${outcome}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  context.diagnostic(JSON.stringify(counts));
}

function randomFlip(random: Random, subject: Subject, kind: Kind): Flip {
  const path = oneOf(random, subject.filesOf(kind));
  const at = below(random, subject.files.get(path)!.length);
  const mask = chance(random, 0.7) ? 1 << below(random, 8) : 1 + below(random, 255);
  return { path, at, mask };
}

async function outcomeOf(subject: Subject, flip: Flip, kind: Kind): Promise<Outcome> {
  const damaged = Buffer.from(subject.files.get(flip.path)!);
  damaged[flip.at]! ^= flip.mask;
  await subject.damage(flip.path, damaged);
  try {
    const checked = await check(subject.directory).catch((error: { code?: string }) => error);
    const outcome = await start(subject, flip);
    requireAllowed(outcome, subject.ending, kind);
    requireFound(checked, outcome, kind);
    return outcome;
  } finally {
    await subject.restore();
  }
}

/**
 * `check` finds all damage for which a start, a write or a read is refused, and tells of no other.
 */
function requireFound(checked: CheckReport | { readonly code?: string }, outcome: Outcome, kind: Kind): void {
  if (kind === 'lock' && outcome === 'refused') {
    assert.equal((checked as { code?: string }).code, 'data-locked');
    return;
  }
  if ('code' in checked && checked.code === 'newer-format') {
    assert.equal(outcome, 'refused');
    return;
  }
  assert.ok('lines' in checked, String(checked));
  const isDamaged = outcome === 'refused' || kind === 'seal';
  assert.equal(checked.damaged, isDamaged, checked.lines.join('\n'));
}

/** What may become of damage to a file of some kind. */
function requireAllowed(outcome: Outcome, ending: Ending, kind: Kind): void {
  const allowed: Record<Kind, readonly Outcome[]> = {
    image: ['refused'],
    manifest: ['refused'],
    journal: ending === 'closed' ? ['refused'] : ['refused', 'cut'],
    patch: ['refused'],
    seal: ['right'],
    identity: ['refused', 'right'],
    lock: ['refused', 'right'],
    content: ['refused'],
  };
  assert.ok(allowed[kind].includes(outcome), outcome);
}

async function start(subject: Subject, flip: Flip): Promise<Outcome> {
  const notices: string[] = [];
  const { directory } = subject;
  const lock = await lockDirectory(directory).catch((error: unknown) => error as Error);
  if (lock instanceof Error) return requireRefusal(subject, flip, lock, 'data-locked');
  try {
    const settings = { directory, journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false };
    const store = await openStore(settings, (message) => notices.push(message)).catch(
      (error: unknown) => error as Error,
    );
    if (store instanceof Error) return await requireRefusal(subject, flip, store, 'data-damaged');
    return await served(store, subject, notices.join('\n'));
  } finally {
    await lock.release();
  }
}

/** It says which file it is about, and what to do; and has changed none. */
async function requireRefusal(
  subject: Subject,
  { path }: Flip,
  error: Error,
  code: string,
): Promise<'refused'> {
  const { code: found } = error as { code?: string };
  // A flipped bit can make a format greater.
  const expected = code === 'data-damaged' && found === 'newer-format' ? found : code;
  assert.equal(found, expected, String(error.stack));
  assert.match(
    error.message,
    code === 'data-locked' ? /remove .*lock\.\d+$/ : /[Rr]estore|--recover|inspect/,
  );
  const file = code === 'data-locked' ? 'in use by' : path;
  assert.ok(error.message.includes(file), error.message);
  const changed = await subject.changedFiles();
  assert.deepEqual(
    changed.filter((name) => name !== path && !name.startsWith('lock.')),
    [],
  );
  return 'refused';
}

async function served(store: Store, subject: Subject, notices: string): Promise<Outcome> {
  const { sequence } = store.opened().snapshot;
  const models = plannedModels(subject.ending);
  const model = models.find((each) => each.sequence === sequence);
  assert.ok(model, `commit ${sequence} is not one that may be the last`);
  const isCut = model !== models[0];
  if (isCut)
    assert.match(
      notices,
      /journal-\d+\.log.*interrupted|before it was acknowledged|before this write was synced/s,
    );
  requireEqual(store, model);
  requireIdentity(store, subject);
  const content = await readContents(store, subject);
  assert.equal(store.failure, undefined);
  assert.deepEqual(userLines(await oracleLines(filesIn(subject.directory))), model.lines());
  await goOn(store, subject, model);
  if (content === 'refused') return 'refused';
  return isCut ? 'cut' : 'right';
}

function requireEqual(store: Store, model: StoreModel): void {
  assert.deepEqual(userLines(contentOf(store)), model.lines());
  const rows = store
    .opened()
    .graphs.map(([name, info]) => [name, { size: info!.size, sequence: info!.sequence }] as const);
  const own = new Map(rows.filter(([name]) => model.graphs.has(name)));
  assert.deepEqual(own, model.rows());
}

/** Without the system graph, which says what content there is. */
function userLines(lines: readonly string[]): string[] {
  return lines.filter((line) => line.endsWith('> .') && / <urn:x:g\d> \.$/.test(line));
}

function requireIdentity(store: Store, subject: Subject): void {
  const { name, created } = JSON.parse(subject.files.get('identity.json')!.toString()) as {
    name: string;
    created: number;
  };
  assert.deepEqual(store.opened().identity, { name, created });
}

/** Contents are served whole, byte for byte, or refused. */
async function readContents(store: Store, subject: Subject): Promise<'right' | 'refused'> {
  const graphs = new GraphTable();
  graphs.apply(store.opened().graphs);
  const { snapshot } = store.opened();
  const index = new ResourceIndex({ snapshot, graphs, writeError: undefined }, 'http://example.org');
  const files = await ContentFiles.open(`${subject.directory}/content`);
  const never = () => assert.fail();
  const storage = { files, garbageCollector: { release: never }, now: never };
  const service = new ContentService(index, { commit: never, state: () => '' }, storage);
  let outcome: 'right' | 'refused' = 'right';
  for (const { resource, text } of contents) {
    const info = service.info({ kind: 'uri', uri: resource }, { access: undefined });
    assert.equal(info?.bytes, Buffer.byteLength(text));
    const found = await bytesOf(service.read(info, 0, info.bytes)).catch((error: unknown) => error as Error);
    if (Buffer.isBuffer(found))
      assert.ok(found.equals(Buffer.from(text)), `${resource} is served with wrong bytes`);
    else {
      assert.equal((found as { code?: string }).code, 'data-damaged', String(found.stack));
      outcome = 'refused';
    }
  }
  return outcome;
}

async function bytesOf(reading: ReturnType<ContentService['read']>): Promise<Buffer> {
  const result = await reading;
  assert.ok(result.ok);
  const chunks: Buffer[] = [];
  for await (const chunk of result.value) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** One more commit is there after the next start, and nothing else has changed. */
async function goOn(store: Store, subject: Subject, model: StoreModel): Promise<void> {
  const line = '<urn:s> <urn:p> "after the damage"';
  await commit(store, merge('urn:x:g0', `${line} .`));
  await store.close();
  const again = await openOn(await openNodeDisk(subject.directory));
  assert.deepEqual(userLines(contentOf(again)), [...model.lines(), `${line} <urn:x:g0> .`].sort());
  await again.close();
}
