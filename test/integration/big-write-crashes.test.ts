/** CRASH_ROUNDS=25 SEED=7 node --import tsx --test test/integration/big-write-crashes.test.ts */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import { below } from '../simulation/random-transactions.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 5);
const SEED = Number(process.env['SEED'] ?? 1);
/** Enough rows for pool threads to compute the write. */
const ROWS = 20_000;
/** To one of the big graphs, between two kills. */
const MOST_WRITES = 6;

/** Replaces one graph by its next version until the server is killed. */
class Writer {
  readonly graph: string;
  readonly rows: number;
  acknowledged = 0;
  attempted = 0;

  constructor(graph: string, rows: number) {
    this.graph = graph;
    this.rows = rows;
  }

  async run(server: ServerProcess): Promise<void> {
    for (;;) {
      const version = this.acknowledged + 1;
      this.attempted = Math.max(this.attempted, version);
      const lines = Array.from(
        { length: this.rows },
        (_, i) => `<urn:x:s${i}> <urn:x:v${i % 7}> "${version}" .`,
      );
      if (!(await put(server, this.graph, lines.join('\n')))) return;
      this.acknowledged = version;
    }
  }

  /** The graph is one complete version: the last acknowledged or the attempted one. */
  async check({ url }: ServerProcess): Promise<void> {
    const response = await fetch(`${contextUrl(url, this.graph)}&format=nt`);
    const text = await response.text();
    const versions = new Set(text.match(/"\d+"/g));
    if (response.status === 404) {
      assert.equal(this.acknowledged, 0);
      return;
    }
    assert.equal(versions.size, 1);
    const found = Number([...versions][0]!.slice(1, -1));
    assert.ok(found === this.acknowledged || found === this.attempted, `${found}, not ${this.acknowledged}`);
    assert.equal(text.split('\n').length - 1, this.rows);
    this.acknowledged = found;
  }
}

const isNew = ({ acknowledged }: Writer) => acknowledged === 0;

function contextUrl(url: string, graph: string): string {
  return `${url}/context?graph=${encodeURIComponent(graph)}`;
}

/** Whether the server acknowledged the write. Only a killed server may leave a request open. */
async function put(server: ServerProcess, graph: string, body: string): Promise<boolean> {
  const headers = { 'Content-Type': 'application/n-triples' };
  try {
    const response = await fetch(contextUrl(server.url, graph), { method: 'PUT', body, headers });
    await response.arrayBuffer();
    assert.ok(response.ok, `PUT ${response.status}`);
    return true;
  } catch (error) {
    if (!server.process.killed) throw error;
    return false;
  }
}

describe('a big write', () => {
  it(`is complete or absent after ${ROUNDS} kills of the server`, async (context) => {
    const random = seededRandom(SEED);
    const data = await temporaryDirectory(context);
    // Small enough for checkpoints between the writes, which replace some of the patch files.
    const args = ['--data', data, '--threads', '2', '--journal-max', '4MiB'];
    const writers = [
      new Writer('urn:x:big', ROWS),
      new Writer('urn:x:other', ROWS),
      new Writer('urn:x:small', 3),
    ];
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(context, args);
      for (const writer of writers) await writer.check(server);
      const runs = writers.map((writer) => writer.run(server));
      // Counted in writes, so that a busy machine does as many between two kills.
      const enough = writers[0]!.acknowledged + 1 + below(random, MOST_WRITES);
      while (writers[0]!.acknowledged < enough || writers.some(isNew)) await pass(10);
      await pass(below(random, 300));
      await server.kill();
      await Promise.all(runs);
    }
    const server = await startServer(context, args);
    for (const writer of writers) await writer.check(server);
    assert.ok(writers.every(({ acknowledged }) => acknowledged > 0));
    assert.equal(await server.end('SIGTERM'), 0);
    assert.ok(readdirSync(data).some((name) => /^checkpoint-/.test(name)));
  });
});
