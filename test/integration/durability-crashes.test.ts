/** CRASH_ROUNDS=25 SEED=7 node --import tsx --test test/integration/durability-crashes.test.ts */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as pass } from 'node:timers/promises';
import { seededRandom } from '../simulation/sim-disk.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const ROUNDS = Number(process.env['CRASH_ROUNDS'] ?? 10);
const SEED = Number(process.env['SEED'] ?? 1);
const WRITERS = 8;

/** Writes the numbers from 1 on, one after the other, and counts those that were acknowledged. */
class Writer {
  readonly last: string;
  readonly all: string;
  acknowledged = 0;
  attempted = 0;

  constructor(index: number) {
    this.last = `urn:x:last${index}`;
    this.all = `urn:x:all${index}`;
  }

  /** Adds the next number to one graph and replaces another by it, until the server is killed. */
  async run(server: ServerProcess, onAcknowledged: () => void): Promise<void> {
    for (;;) {
      const next = this.acknowledged + 1;
      this.attempted = Math.max(this.attempted, next);
      const body = `<urn:x:s> <urn:x:n> ${next} .`;
      const added = await send(server, 'POST', this.all, body);
      const replaced = added && (await send(server, 'PUT', this.last, body));
      if (!replaced) return;
      this.acknowledged = next;
      onAcknowledged();
    }
  }

  /** Every acknowledged number is stored, and at most the attempted one besides. */
  async check({ url }: ServerProcess, contents: Map<string, string>): Promise<void> {
    const all = await numbersIn(contextUrl(url, this.all), contents);
    const [last = 0, ...more] = await numbersIn(contextUrl(url, this.last), contents);
    assert.deepEqual(more, []);
    assert.ok(last >= this.acknowledged && last <= this.attempted, `${last}, not ${this.acknowledged}`);
    assert.ok(all.length >= this.acknowledged && all.length <= this.attempted);
    assert.deepEqual(
      all,
      all.map((_, i) => i + 1),
    );
  }
}

function contextUrl(url: string, graph: string): string {
  return `${url}/context?graph=${encodeURIComponent(graph)}`;
}

/** Whether the server acknowledged the write. Only a killed server may leave a request open. */
async function send(server: ServerProcess, method: string, graph: string, body: string): Promise<boolean> {
  const headers = { 'Content-Type': 'text/turtle' };
  let response: Response;
  try {
    response = await fetch(contextUrl(server.url, graph), { method, body, headers });
    await response.arrayBuffer();
  } catch (error) {
    if (!server.process.killed) throw error;
    return false;
  }
  assert.ok(response.ok, `${method} ${response.status}`);
  return true;
}

/**
 * Returns the numbers in a graph, ascending. Checks that an entity tag always comes with the same
 * content.
 */
async function numbersIn(url: string, contents: Map<string, string>): Promise<number[]> {
  const response = await fetch(`${url}&format=nt`);
  const text = await response.text();
  if (response.status === 404) return [];
  const content = text.trimEnd().split('\n').sort().join('\n');
  const tag = `${url.split('?')[1]} ${response.headers.get('etag')}`;
  assert.equal(contents.get(tag) ?? content, content);
  contents.set(tag, content);
  return [...content.matchAll(/"(\d+)"/g)].map(([, digits]) => Number(digits)).sort((a, b) => a - b);
}

describe('every acknowledged write', () => {
  it(`outlives ${ROUNDS} kills of a server under load`, async (context) => {
    const random = seededRandom(SEED);
    const data = await temporaryDirectory(context);
    const args = ['--data', data, '--threads', '1', '--journal-max', '16KiB'];
    const writers = Array.from({ length: WRITERS }, (_, i) => new Writer(i));
    const contents = new Map<string, string>();
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer(context, args);
      for (const writer of writers) await writer.check(server, contents);
      let left = 1 + Math.floor(random() * 300);
      let killed: Promise<void> | undefined;
      const onAcknowledged = () => {
        if (--left === 0) killed = pass(random() * 3).then(() => server.kill());
      };
      await Promise.all(writers.map((writer) => writer.run(server, onAcknowledged)));
      assert.ok(killed);
      await killed;
    }
    const server = await startServer(context, args);
    for (const writer of writers) await writer.check(server, contents);
    assert.ok(writers.every(({ acknowledged }) => acknowledged > ROUNDS));
    assert.equal(await server.end('SIGTERM'), 0);
  });
});
