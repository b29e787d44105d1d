/**
 * Writes the fixture of a release, whose code is checked out, see test/fixtures/releases/README.md:
 *
 *     node --import tsx test/releases/make-fixture.ts VERSION
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { type App, createApp } from '../../src/app.ts';
import { fillConfig } from '../../src/config.ts';
import { StoreClient } from '../../src/store/main/client.ts';
import { projectFile } from '../support/project.ts';
import { BASE } from '../support/server-process.ts';
import { formats } from './formats.ts';
import { dump, early, late, send } from './release-data.ts';

/** Writes of more rows go to files of their own, so that the fixture has some and is small. */
const BIG_WRITE_ROWS = 40;

const [, , version = ''] = process.argv;
if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error('Give the version of the release.');
const place = projectFile(`test/fixtures/releases/${version}`);
const data = join(place, 'data');

/** `journalMax`: a checkpoint is made when the journal has more bytes. */
async function withApp(journalMax: number, use: (app: App) => Promise<void>): Promise<void> {
  const settings = { port: 0, base: BASE, data, journalMax, threads: 2, sparqlThreads: 1 };
  const app = await createApp(fillConfig(settings), {
    log: pino({ level: 'warn' }),
    openStore: (options) => StoreClient.open({ ...options, bigWriteRows: BIG_WRITE_ROWS }),
  });
  try {
    await use(app);
  } finally {
    await app.close();
  }
}

async function hasCheckpoint(): Promise<boolean> {
  const names = await readdir(data);
  return names.some((name) => /^checkpoint-\d+\.json$/.test(name));
}

await rm(place, { recursive: true, force: true });
await mkdir(place, { recursive: true });
const large = 2 ** 26;
await withApp(large, (app) => send(app.url, early));
// The first write makes the checkpoint, and what it covers becomes history.
await withApp(1, async (app) => {
  await send(app.url, late.slice(0, 1));
  while (!(await hasCheckpoint())) await delay(10);
});
await withApp(large, (app) => send(app.url, late.slice(1)));
await writeFile(join(place, 'formats.json'), `${JSON.stringify(formats, null, 2)}\n`);
await withApp(large, async (app) => writeFile(join(place, 'expected.txt'), await dump(app.url)));
