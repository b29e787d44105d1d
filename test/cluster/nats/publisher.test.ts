import assert from 'node:assert/strict';
import { before, describe, it, type TestContext } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { connectNats } from '../../../src/cluster/nats/connection.ts';
import { subjectOf } from '../../../src/cluster/nats/genesis.ts';
import { PART_BYTES, type Part, partsOf } from '../../../src/cluster/nats/parts.ts';
import { Publisher } from '../../../src/cluster/nats/publisher.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../../support/nats-servers.ts';
import { suiteScope } from '../../support/scope.ts';
import { openTestLog } from '../../support/shared-logs.ts';

describe('an attempt to write to the stream', { skip: withoutNats }, () => {
  const scope = suiteScope();
  let servers: NatsServers;
  before(async () => {
    servers = await startNatsServers(scope);
  });

  /** A publisher for a log that has one message, and its connection. */
  async function connected(context: TestContext) {
    const settings = servers.settings();
    await openTestLog(context, settings);
    const connection = await connectNats(settings, 'test');
    context.after(() => connection.close());
    return { connection, writer: new Publisher(connection, subjectOf(settings.name)) };
  }

  async function publisher(context: TestContext): Promise<Publisher> {
    return (await connected(context)).writer;
  }

  it('stores a part once, however often it is repeated', async (context) => {
    const writer = await publisher(context);
    const parts = group('one', 10);
    assert.deepEqual(await writer.attempt(parts, 1), { kind: 'stored', sequence: 2 });
    // A cluster recognises the id; a single server only sees the wrong sequence.
    assert.deepEqual(await writer.attempt(parts, 1), { kind: 'overtaken' });
    assert.deepEqual(await writer.attempt(group('two', 10), 2), { kind: 'stored', sequence: 3 });
  });

  it('stores nothing behind another message than the last one', async (context) => {
    const writer = await publisher(context);
    assert.deepEqual(await writer.attempt(group('one', 10), 0), { kind: 'overtaken' });
    assert.deepEqual(await writer.attempt(group('two', 10), 2), { kind: 'overtaken' });
    assert.deepEqual(await writer.attempt(group('three', 10), 1), { kind: 'stored', sequence: 2 });
  });

  it('stores all parts of a large group, or none', async (context) => {
    const writer = await publisher(context);
    const large = group('large', 10 * PART_BYTES);
    assert.equal(large.length, 10);
    assert.deepEqual(await writer.attempt(large, 0), { kind: 'overtaken' });
    assert.deepEqual(await writer.attempt(large, 1), { kind: 'stored', sequence: 11 });
    assert.deepEqual(await writer.attempt(large, 1), { kind: 'overtaken' });
    assert.deepEqual(await writer.attempt(group('next', 1), 11), { kind: 'stored', sequence: 12 });
  });

  it('ends when the connection is closed before all parts are sent', { timeout: 20_000 }, async (context) => {
    const { connection, writer } = await connected(context);
    const attempt = writer.attempt(group('large', 10 * PART_BYTES), 1);
    await connection.close();
    assert.deepEqual(await attempt, { kind: 'refused', reason: 'the connection was closed' });
  });

  it('is refused where no server has the stream', async (context) => {
    const connection = await connectNats(servers.settings(), 'test');
    context.after(() => connection.close());
    const writer = new Publisher(connection, 'nowhere.log');
    assert.deepEqual(await writer.attempt(group('one', 10), 0), {
      kind: 'refused',
      reason: 'they have no leader',
    });
  });
});

describe('a batch', () => {
  it('is not given up while a slow server takes its parts', async () => {
    const connection = {
      closed: () => new Promise(() => {}),
      publish: () => {},
      // Longer than the answer to a single message may take.
      flush: () => wait(2100),
      request: async () => ({ json: () => ({ seq: 11 }) }),
    };
    const writer = new Publisher(connection as unknown as NatsConnection, 'a.log');
    const attempt = await writer.attempt(group('slow', 10 * PART_BYTES), 1);
    assert.deepEqual(attempt, { kind: 'stored', sequence: 11 });
  });

  it('is refused when the connection breaks before its last part', async () => {
    const connection = {
      closed: () => new Promise(() => {}),
      publish: () => {},
      flush: () => Promise.reject(new Error('it is closed')),
    };
    const writer = new Publisher(connection as unknown as NatsConnection, 'a.log');
    const attempt = await writer.attempt(group('broken', 10 * PART_BYTES), 1);
    assert.deepEqual(attempt, { kind: 'refused', reason: 'it is closed' });
  });
});

function group(id: string, length: number): Part[] {
  return partsOf({ first: 1, last: 1, id, state: '' }, [new Uint8Array(length)], 'before');
}
