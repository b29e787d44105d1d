import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { BASE, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { Book } from './ldp-clients/book.ts';
import { Client, type Step } from './ldp-clients/client.ts';
import { verify } from './ldp-clients/verify.ts';

const number = fc.nat({ max: 1000 });
const model = fc.constantFrom(
  'rdf-source' as const,
  'basic' as const,
  'direct' as const,
  'indirect' as const,
  'binary' as const,
);
const slug = fc.constantFrom('a', 'b', 'c');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('post' as const), at: number, model, slug }) },
  {
    weight: 4,
    arbitrary: fc.record({ act: fc.constant('put' as const), at: number, stale: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('patch' as const), at: number }) },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('delete' as const), at: number }) },
);

/** For each client the steps that it does. */
const clients = fc.array(fc.array(step, { minLength: 20, maxLength: 40 }), { minLength: 3, maxLength: 6 });

test('containment, membership, tombstones and entity tags agree with the responses, even after a restart', async (context) => {
  const done = new Counts();
  await fc.assert(
    fc.asyncProperty(clients, async (plans) => {
      const data = await temporaryDirectory(context);
      const server = await start(context, data);
      const book = new Book(`${BASE}/ldp`);
      await runAll(plans, book, server);
      done.add(book);
      const tags = await verify(book, addressAt(server));
      assert.equal(await server.end('SIGTERM'), 0);
      const again = await start(context, data);
      assert.deepEqual(await verify(book, addressAt(again)), tags);
      await again.kill();
    }),
    { numRuns: 4, endOnFailure: true },
  );
  done.require({ created: 20, replaced: 3, counted: 3, deleted: 3 });
});

test('after kill -9 in the midst of it nothing acknowledged is lost, and nothing is half done', async (context) => {
  const done = new Counts();
  await fc.assert(
    fc.asyncProperty(clients, fc.integer({ min: 20, max: 80 }), async (plans, acts) => {
      const data = await temporaryDirectory(context);
      const server = await start(context, data);
      const book = new Book(`${BASE}/ldp`);
      let left = acts;
      const address = addressAt(server);
      await runAll(plans, book, server, (uri) => {
        if (left-- === 0) server.process.kill('SIGKILL');
        return address(uri);
      });
      await server.kill();
      done.add(book);
      const again = await start(context, data);
      const tags = await verify(book, addressAt(again));
      await again.kill();
      const third = await start(context, data);
      assert.deepEqual(await verify(book, addressAt(third)), tags);
      await third.kill();
    }),
    { numRuns: 4, endOnFailure: true },
  );
  done.require({ created: 5, replaced: 0, counted: 0, deleted: 0 });
});

const whats = ['created', 'replaced', 'counted', 'deleted'] as const;
type What = (typeof whats)[number];

/** How much clients were told was done, in all runs together: a property of nothing would hold. */
class Counts {
  readonly #counts = { created: 0, replaced: 0, counted: 0, deleted: 0 };

  add(book: Book): void {
    for (const { replaced, counted, deleted } of book.all()) {
      this.#counts.created++;
      this.#counts.replaced += replaced.size;
      this.#counts.counted += counted;
      if (deleted === 'yes') this.#counts.deleted++;
    }
  }

  require(least: Readonly<Record<What, number>>): void {
    for (const what of whats) {
      assert.ok(this.#counts[what] >= least[what], `only ${this.#counts[what]} ${what}`);
    }
  }
}

function start(context: TestContext, data: string): Promise<ServerProcess> {
  return startServer(context, ['--data', data, '--threads', '2']);
}

function addressAt({ url }: ServerProcess): (uri: string) => string {
  return (uri) => url + uri.slice(BASE.length);
}

async function runAll(
  plans: readonly (readonly Step[])[],
  book: Book,
  server: ServerProcess,
  address = addressAt(server),
): Promise<void> {
  await Promise.all(
    plans.map((steps, index) =>
      new Client(`c${index}`, book, address).run(steps, () => server.process.killed),
    ),
  );
}
