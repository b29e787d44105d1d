import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Closer } from '../../src/startup/closer.ts';

test('parts are closed one after another, the last one first, with the time that they have', async () => {
  const closer = new Closer();
  const events: unknown[] = [];
  closer.add({
    first: async (graceMs) => {
      events.push(['first', graceMs]);
    },
  });
  closer.add({
    last: async (graceMs) => {
      events.push(['last begins', graceMs]);
      await new Promise(setImmediate);
      events.push(['last ends']);
    },
  });
  await closer.close(10);
  assert.deepEqual(events, [['last begins', 10], ['last ends'], ['first', 10]]);
});

test('parts are closed once', async () => {
  const closer = new Closer();
  let closed = 0;
  closer.add({ part: () => closed++ });
  await Promise.all([closer.close(10), closer.close(0)]);
  await closer.close(0);
  assert.equal(closed, 1);
});

test('parts that fail to close do not keep the others open, and all their errors are reported', async () => {
  const closer = new Closer();
  const closed: string[] = [];
  const stuck = new Error('stuck');
  closer.add({ store: () => closed.push('store') });
  closer.add({ files: () => Promise.reject(new Error('no access')) });
  closer.add({
    threads: () => {
      throw stuck;
    },
  });
  closer.add({ server: () => closed.push('server') });
  const error = await closer.close(0).catch((reason: unknown) => reason);
  assert.ok(error instanceof AggregateError);
  assert.equal(error.message, 'Could not close: threads (stuck), files (no access).');
  assert.deepEqual(
    error.errors.map(({ message }: Error) => message),
    ['stuck', 'no access'],
  );
  assert.equal(error.errors[0], stuck);
  assert.deepEqual(closed, ['server', 'store']);
});

test('parts that are added together are closed together, and the next one after all of them', async () => {
  const closer = new Closer();
  const events: string[] = [];
  closer.add({ store: () => events.push('store') });
  closer.add({
    pool: () => Promise.reject(new Error('stuck')),
    'SPARQL pool': async () => {
      events.push('SPARQL pool begins');
      for (let i = 0; i < 3; i++) await new Promise(setImmediate);
      events.push('SPARQL pool ends');
    },
  });
  await assert.rejects(closer.close(0), { message: 'Could not close: pool (stuck).' });
  assert.deepEqual(events, ['SPARQL pool begins', 'SPARQL pool ends', 'store']);
});
