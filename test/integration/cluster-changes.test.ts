/** Changes of a cluster of real processes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { PathpoolProcess } from '../../bench/cluster/pathpool-process.ts';
import { startCluster } from '../support/cluster.ts';
import { EventReader } from '../support/event-reader.ts';
import { withoutNats } from '../support/nats-servers.ts';

it('every process of a cluster has the same changes at the same positions (F-2)', {
  skip: withoutNats,
}, async (t) => {
  const cluster = await startCluster(t, { logServers: 1, processes: 2 });
  const [first, second] = cluster.processes as [PathpoolProcess, PathpoolProcess];
  const readers = [
    await EventReader.open(`${first.url}/changes?rows&graph=urn:x:g`),
    await EventReader.open(`${second.url}/changes?rows&graph=urn:x:g`),
  ];
  for (const [value, { url }] of [first, second, first, second].entries()) {
    const response = await fetch(`${url}/context?graph=urn:x:g`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: `<urn:s> <urn:p> ${value}, ${value + 1}, ${value + 2} .`,
    });
    assert.ok(response.ok, await response.text());
    const [event, other] = await Promise.all(readers.map((reader) => reader.next()));
    assert.deepEqual(event, other);
    assert.equal(event?.data['position'], response.headers.get('pathpool-commit'));
    // A client goes on at the other process.
    const text = await (await fetch(`${second.url}/changes?since=${event?.data['position']}`)).text();
    assert.deepEqual(JSON.parse(text), { position: event?.data['position'] });
  }
  for (const reader of readers) reader.close();
});

it('every process of a cluster reads graphs as they were, also from before its start (C-40, C-43)', {
  skip: withoutNats,
}, async (t) => {
  const cluster = await startCluster(t, { logServers: 1, processes: 2 });
  const [first, second] = cluster.processes as [PathpoolProcess, PathpoolProcess];
  const headers = { 'Content-Type': 'text/turtle' };
  const address = '/context?graph=urn:x:g';
  const states = new Map<string, string>();
  for (const value of ['1', '2', '', '3']) {
    const body = value === '' ? '' : `<urn:s> <urn:p> "${value}" .`;
    const response = await fetch(first.url + address, { method: 'PUT', headers, body });
    const [, commit = ''] = response.headers.get('pathpool-commit')!.split('.');
    states.set(commit, body === '' ? '' : `${body}\n`);
  }
  await second.restart();
  for (const { url } of [first, second]) {
    for (const [commit, state] of states) {
      const response = await fetch(`${url}${address}&commit=${commit}&format=nt`);
      assert.equal(await response.text(), state, commit);
      assert.equal(response.status, 200);
    }
    const [oldest = ''] = states.keys();
    assert.equal((await fetch(`${url}${address}&commit=${Number(oldest) - 1}`)).status, 404);
    for (const [date, at] of [
      ['Thu, 01 Jan 1970 00:00:00 GMT', '1'],
      [new Date(Date.now() + 86_400_000).toUTCString(), [...states.keys()].at(-1)],
    ]) {
      const gate = { headers: { 'Accept-Datetime': date! }, redirect: 'manual' } as const;
      const { headers: found } = await fetch(url + address, gate);
      assert.match(found.get('location')!, new RegExp(`commit=${at}$`));
    }
  }
});
