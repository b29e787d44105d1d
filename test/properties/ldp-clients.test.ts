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
const clients = fc.array(fc.array(step, { minLength: 10, maxLength: 40 }), { minLength: 2, maxLength: 6 });

test('containment, membership, tombstones and entity tags agree with what clients were told, also after a restart', async (context) => {
  await fc.assert(
    fc.asyncProperty(clients, async (plans) => {
      const data = await temporaryDirectory(context);
      const server = await start(context, data);
      const book = new Book(`${BASE}/ldp`);
      await runAll(plans, book, server);
      const tags = await verify(book, addressAt(server));
      assert.equal(await server.end('SIGTERM'), 0);
      const again = await start(context, data);
      assert.deepEqual(await verify(book, addressAt(again)), tags);
      await again.end('SIGKILL');
    }),
    { numRuns: 4 },
  );
});

test('after kill -9 in the midst of it nothing acknowledged is lost, and nothing is half done', async (context) => {
  await fc.assert(
    fc.asyncProperty(clients, fc.nat({ max: 60 }), async (plans, acts) => {
      const data = await temporaryDirectory(context);
      const server = await start(context, data);
      const book = new Book(`${BASE}/ldp`);
      let left = acts;
      const address = addressAt(server);
      const running = runAll(plans, book, server, (uri) => {
        if (left-- === 0) server.process.kill('SIGKILL');
        return address(uri);
      });
      await running;
      await server.end('SIGKILL');
      const again = await start(context, data);
      const tags = await verify(book, addressAt(again));
      await again.end('SIGKILL');
      const third = await start(context, data);
      assert.deepEqual(await verify(book, addressAt(third)), tags);
      await third.end('SIGKILL');
    }),
    { numRuns: 4 },
  );
});

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
  await Promise.all(plans.map((steps, index) => new Client(`c${index}`, book, address).run(steps)));
}
