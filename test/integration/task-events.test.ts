import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventReader, type ReceivedEvent } from '../support/event-reader.ts';
import type { Scope } from '../support/scope.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { availableFronts } from '../support/tested-front.ts';

const timeout = 300_000;
/** Runs for minutes unless it is cancelled. */
const RUNAWAY = 'SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n1 ?o }';
const DATA = Array.from({ length: 200 }, (_, i) => `<urn:x:s${i}> <urn:x:p> ${i} .`).join('\n');

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly outcome?: string | null;
}

interface Change {
  readonly since: number;
  readonly time: number;
  readonly appeared: readonly Listed[];
  readonly ended: readonly Listed[];
  readonly groups: Readonly<Record<string, { readonly begun: number; readonly ended: number }>>;
  readonly threads: readonly {
    readonly thread: string;
    readonly task: Listed | null;
    readonly busy: number;
  }[];
}

for (const front of availableFronts) {
  const start = (scope: Scope, ...args: readonly string[]): Promise<ServerProcess> =>
    startServer(scope, ['--memory', '--threads', '2', '--front', front, ...args]);

  describe(`/tasks/events (${front})`, () => {
    it('T-40 to T-43: follows a query from its thread to its end', { timeout }, async (t) => {
      const { url } = await start(t, '--sparql-time', '200');
      const headers = { 'Content-Type': 'text/turtle' };
      await fetch(`${url}/context?graph=urn:x:g`, { method: 'PUT', headers, body: DATA });
      const reader = await EventReader.open(`${url}/tasks/events`);
      const state = await reader.next();
      assert.equal(state?.type, 'state');
      const threads = (state.data as unknown as Change).threads.map(({ thread }) => thread);
      assert.deepEqual(threads, ['main', 'store', 'worker-1', 'worker-2', 'sparql-1', 'sparql-2']);
      const query = fetch(`${url}/sparql?query=${encodeURIComponent(RUNAWAY)}`);
      const inGroup = ({ group }: Listed) => group === 'SPARQL';
      const seen = await changeThat(reader, ({ appeared }) => appeared.some(inGroup));
      const { name } = seen.appeared.find(inGroup)!;
      const busy = await changeThat(reader, (change) =>
        change.threads.some(({ task }) => task?.name === name),
      );
      assert.ok(busy.since < busy.time);
      const removed = await fetch(`${url}/tasks/SPARQL/${encodeURIComponent(name)}`, { method: 'DELETE' });
      assert.equal(removed.status, 204);
      assert.equal((await query).status, 503);
      const last = await changeThat(reader, ({ ended }) => ended.some(inGroup));
      assert.equal(last.ended.find(inGroup)?.outcome, 'cancelled');
      assert.equal(last.groups['SPARQL']?.ended, 1);
      reader.close();
    });

    it('T-5: is no task itself', { timeout }, async (t) => {
      const { url } = await start(t);
      const reader = await EventReader.open(`${url}/tasks/events`);
      await reader.next();
      assert.deepEqual(await (await fetch(`${url}/tasks/Content`)).json(), {});
      reader.close();
    });

    it('F-9: ends in order when the server shuts down', { timeout }, async (t) => {
      const server = await start(t);
      const reader = await EventReader.open(`${server.url}/tasks/events`);
      assert.equal((await reader.next())?.type, 'state');
      const rest = restOf(reader);
      assert.equal(await server.end('SIGTERM'), 0);
      await rest;
    });
  });
}

describe('/tasks/events', () => {
  it('F-10: takes a place among the streams of changes', { timeout }, async (t) => {
    const { url } = await startServer(t, ['--memory', '--threads', '1', '--max-streams', '1']);
    const accept = { Accept: 'text/event-stream' };
    for (let i = 0; i < 3; i++) {
      const { status } = await fetch(`${url}/tasks/events`, { method: 'HEAD', headers: accept });
      assert.equal(status, 200);
    }
    const reader = await EventReader.open(`${url}/tasks/events`);
    for (const path of ['/tasks/events', '/changes']) {
      const { status } = await fetch(url + path, { headers: accept });
      assert.equal(status, 503, path);
    }
    reader.close();
  });

  it('6.10: is 406 for a client that does not want events', { timeout }, async (t) => {
    const { url } = await startServer(t, ['--memory', '--threads', '1']);
    assert.equal(
      (await fetch(`${url}/tasks/events`, { headers: { Accept: 'application/json' } })).status,
      406,
    );
  });
});

async function changeThat(reader: EventReader, is: (change: Change) => boolean): Promise<Change> {
  for (;;) {
    const event = await reader.next();
    assert.ok(event, 'The stream has ended.');
    const change = event.data as unknown as Change;
    if (event.type === 'change' && is(change)) return change;
  }
}

async function restOf(reader: EventReader): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = [];
  for (let event = await reader.next(); event; event = await reader.next()) events.push(event);
  return events;
}
