/** Two processes that share one log: forwarding, tokens, and the loss of one of them. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { RawClient } from '../http/raw-client.ts';
import { type NatsServers, startNatsServers, withoutNats } from '../support/nats-servers.ts';
import { type Scope, suiteScope } from '../support/scope.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PATIENCE_MS = 60_000;

async function startProcess(
  scope: Scope,
  servers: NatsServers,
  journal: string,
  options: readonly string[] = [],
): Promise<ServerProcess> {
  const data = await temporaryDirectory(scope);
  const url = `nats://${servers.nodes.map(({ address }) => address).join(',')}/${journal}`;
  const args = ['--journal', url, '--cluster-replicas', '1', '--data', data];
  return startServer(scope, [...args, '--threads', '1', '--sparql-threads', '1', ...options]);
}

const turtle = { 'Content-Type': 'text/turtle' };

function put(url: string, graph: string, body: string): Promise<Response> {
  return fetch(`${url}/context?graph=${graph}`, { method: 'PUT', headers: turtle, body });
}

function read(url: string, graph: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/context?graph=${graph}`, { headers: { Accept: 'application/n-triples', ...headers } });
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^pathpool_${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (Date.now() > end) assert.fail(`${what}: not within ${PATIENCE_MS} ms`);
    await sleep(50);
  }
}

const isReady = async (url: string) => (await fetch(`${url}/health/ready`)).status === 200;

describe('two processes with one log', { skip: withoutNats }, async () => {
  const scope = suiteScope();
  if (withoutNats) return;
  const servers = await startNatsServers(scope);
  const first = await startProcess(scope, servers, 'shared', ['--process', 'first']);
  const second = await startProcess(scope, servers, 'shared', ['--process', 'second']);

  it('execute writes in the one that holds the lease, the other forwards them', async () => {
    assert.equal(await metric(first.url, 'cluster_lease_held'), 1);
    assert.equal(await metric(second.url, 'cluster_lease_held'), 0);
    const written = await put(second.url, 'urn:x:a', '<urn:x:s> <urn:x:p> "1" .');
    assert.equal(written.status, 201);
    assert.match(written.headers.get('pathpool-commit') ?? '', /^[a-z0-9]{8}\.\d+$/);
    // A client that stays at one process sees what it has written.
    const here = await read(second.url, 'urn:x:a');
    assert.equal(await here.text(), '<urn:x:s> <urn:x:p> "1" .\n');
    assert.equal((await read(first.url, 'urn:x:a')).headers.get('etag'), here.headers.get('etag'));
  });

  it('G-151: have what was written in the other, if a request names the commit', async () => {
    for (let i = 0; i < 20; i++) {
      const [one, other] = i % 2 === 0 ? [first, second] : [second, first];
      const written = await put(one.url, 'urn:x:b', `<urn:x:s> <urn:x:p> "${i}" .`);
      const commit = written.headers.get('pathpool-commit') ?? '';
      const found = await read(other.url, 'urn:x:b', { 'Pathpool-Commit': commit });
      assert.equal(await found.text(), `<urn:x:s> <urn:x:p> "${i}" .\n`);
    }
  });

  it('both are ready, and know one another', async () => {
    for (const { url } of [first, second]) {
      await until('ready', () => isReady(url));
      await until('members', async () => (await metric(url, 'cluster_members')) === 2);
      const tasks = await fetch(`${url}/tasks`);
      assert.equal(tasks.headers.get('pathpool-unreachable'), null);
    }
  });

  it('execute an update in a form, an LDP POST and content at the holder', async () => {
    const update = 'INSERT DATA { GRAPH <urn:x:c> { <urn:x:s> <urn:x:p> 1 } }';
    const updated = await fetch(`${second.url}/sparql`, {
      method: 'POST',
      body: new URLSearchParams({ update }),
    });
    assert.equal(updated.status, 204);
    assert.match(await (await read(second.url, 'urn:x:c')).text(), /"1"/);
    const headers = { ...turtle, Slug: 'one' };
    const created = await fetch(`${second.url}/ldp`, { method: 'POST', headers, body: '<> <urn:x:p> 1 .' });
    assert.equal(created.status, 201);
    const place = new URL(created.headers.get('location') ?? '').pathname;
    assert.equal((await fetch(second.url + place)).status, 200);
  });

  it('P-45: share stored programs, which the holder stores', async () => {
    const at = ({ url }: ServerProcess) => `${url}/ldpath/programs/people`;
    const stored = await fetch(at(second), {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain' },
      body: 'value = <urn:x:p> ;',
    });
    assert.equal(stored.status, 201);
    const { position, tag } = (await stored.json()) as { position: string; tag: string };
    await put(second.url, 'urn:x:e', '<urn:x:e> <urn:x:p> "1" .');
    for (const process of [first, second]) {
      const headers = { 'Pathpool-Commit': position };
      assert.equal((await fetch(at(process), { headers })).headers.get('etag'), tag);
      const result = await fetch(`${at(process)}/results?uri=urn:x:e`);
      assert.match(await result.text(), /"value":"1"/);
    }
    const removed = await fetch(at(second), { method: 'DELETE', headers: { 'If-Match': tag } });
    assert.equal(removed.status, 204);
    assert.equal((await fetch(at(second))).status, 404);
  });

  it('P-96, P-97: share stored prefixes, which each process knows with the commit', async () => {
    await put(second.url, 'urn:x:prefixed', '<urn:x:q> <urn:shared:p> "shared" .');
    const at = ({ url }: ServerProcess) => `${url}/prefixes/shared`;
    const stored = await fetch(at(second), {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain' },
      body: 'urn:shared:',
    });
    assert.equal(stored.status, 201);
    const { position } = (await stored.json()) as { position: string };
    for (const process of [first, second]) {
      const headers = { 'Pathpool-Commit': position };
      const result = await fetch(`${process.url}/ldpath/path?path=shared:p&uri=urn:x:q`, { headers });
      assert.match(await result.text(), /"value":"shared"/);
      assert.equal(await (await fetch(at(process))).text(), 'urn:shared:');
    }
    assert.equal((await fetch(at(second), { method: 'DELETE' })).status, 204);
    assert.equal((await fetch(at(second))).status, 404);
  });
});

describe('the loss of the process with the lease', { skip: withoutNats }, async () => {
  const scope = suiteScope();
  if (withoutNats) return;
  const servers = await startNatsServers(scope);
  const first = await startProcess(scope, servers, 'lost', ['--process', 'first']);
  const second = await startProcess(scope, servers, 'lost', ['--process', 'second']);

  it('G-153: makes another one take over, without an error for clients that wait', async () => {
    await put(second.url, 'urn:x:a', '<urn:x:s> <urn:x:p> "before" .');
    await first.kill();
    const written = await put(second.url, 'urn:x:a', '<urn:x:s> <urn:x:p> "after" .');
    assert.equal(written.status, 204);
    assert.match(await (await read(second.url, 'urn:x:a')).text(), /after/);
  });

  it('is over as soon as a holder that is told to stop has released it', async (context) => {
    const third = await startProcess(context, servers, 'lost', ['--process', 'third']);
    assert.match(await (await read(third.url, 'urn:x:a')).text(), /after/);
    // A read that does not end: its body never arrives.
    const reader = new RawClient(Number(new URL(second.url).port));
    context.after(() => reader.end());
    reader.write(
      'POST /ldpath/program?uri=urn:x:a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\nx',
    );
    await until('it runs', async () =>
      (await (await fetch(`${second.url}/tasks`)).text()).includes('Upload'),
    );
    const ended = second.end('SIGTERM');
    const written = await put(third.url, 'urn:x:b', '<urn:x:s> <urn:x:p> "third" .');
    assert.equal(written.status, 201);
    reader.end();
    assert.equal(await ended, 0);
    assert.equal(await metric(third.url, 'cluster_lease_held'), 1);
  });
});
