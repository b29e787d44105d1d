import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addTriples, COMMIT, readGraph, send } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { BASE } from '../../support/server-process.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';

const timeout = 300_000;

describe('two processes with one log', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 1, processes: 2 });

  it('return the same graph with the same tag, whichever of them took the write', { timeout }, async () => {
    const { processes } = cluster();
    for (const [index, process] of processes.entries()) {
      const graph = `urn:x:written-at-${index}`;
      const triples = Array.from({ length: 50 }, (_, i) => `<urn:x:s${(i * 7) % 50}> <urn:x:p> "${i}" .\n`);
      const written = await addTriples(process, graph, triples.join(''));
      assert.equal(written.status, 201, written.text);
      assert.match(written.commit, /^[a-z0-9]{8}\.\d+$/);
      const replies = await Promise.all(processes.map((each) => readGraph(each, graph, written.commit)));
      for (const { status, text } of replies) assert.equal(status, 200, text);
      assert.equal(replies[0]!.text.trim().split('\n').length, 50);
      assert.equal(replies[1]!.text, replies[0]!.text);
      assert.equal(replies[1]!.headers.get('etag'), replies[0]!.headers.get('etag'));
      assert.equal(replies[1]!.headers.get('last-modified'), replies[0]!.headers.get('last-modified'));
    }
  });

  it('G-151: read what the other one has just written, at every endpoint', { timeout }, async () => {
    const writer = await cluster().writer();
    const reader = await cluster().reader();
    const subject = `${BASE}/resource/token`;
    const program = 'value = <urn:x:value> ;';
    const uri = encodeURIComponent(subject);
    const json = { Accept: 'application/json' };
    const reads: Readonly<Record<string, RequestInit>> = {
      [`/context?graph=urn:x:token&format=nt`]: {},
      [`/meta/text/turtle?uri=${uri}`]: {},
      '/store?graph=urn:x:token': { headers: { Accept: 'application/n-triples' } },
      '/dataset': { headers: { Accept: 'application/n-quads' } },
      [`/sparql?query=${encodeURIComponent(`SELECT ?o { <${subject}> ?p ?o }`)}`]: { headers: json },
      [`/ldpath/path?uri=${uri}&path=${encodeURIComponent('<urn:x:value>')}`]: {},
      [`/ldpath/program?uri=${uri}`]: { method: 'POST', body: program },
      [`/ldpath/debug?context=${uri}`]: { method: 'POST', body: program },
      [`/ldpath/batch`]: { method: 'POST', body: JSON.stringify({ program, uris: [subject] }) },
    };
    for (let value = 1; value <= 10; value++) {
      const written = await send(`${writer.url}/context?graph=urn:x:token`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/n-triples' },
        body: `<${subject}> <urn:x:value> "value-${value}" .`,
      });
      assert.ok(written.status < 300, written.text);
      const replies = Object.entries(reads).map(async ([path, init]) => {
        const headers = { ...init.headers, [COMMIT]: written.commit };
        const { status, text } = await send(reader.url + path, { ...init, headers });
        assert.equal(status, 200, `${path}: ${text}`);
        assert.match(text, new RegExp(`value-${value}"`), path);
      });
      await Promise.all(replies);
    }
  });

  it('give two children with one Slug different names', { timeout }, async () => {
    const { processes } = cluster();
    const create = ({ url }: { readonly url: string }) =>
      send(`${url}/ldp`, {
        method: 'POST',
        headers: { 'Content-Type': 'text/turtle', Slug: 'same' },
        body: '<> <urn:x:p> 1 .',
      });
    const replies = await Promise.all([...processes, ...processes, ...processes].map(create));
    for (const { status, text } of replies) assert.equal(status, 201, text);
    const locations = replies.map(({ headers }) => headers.get('location'));
    assert.equal(new Set(locations).size, replies.length, locations.join(' '));
  });

  it('let one of several conditional writes through different processes win', { timeout }, async () => {
    const { processes } = cluster();
    const put = ({ url }: { readonly url: string }, index: number) =>
      send(`${url}/context?graph=urn:x:one-winner`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/n-triples', 'If-None-Match': '*' },
        body: `<urn:x:s> <urn:x:p> "${index}" .`,
      });
    const replies = await Promise.all([...processes, ...processes].map(put));
    assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 412, 412, 412]);
  });

  it('return content that the other one has stored', { timeout }, async () => {
    const [a, b] = cluster().processes;
    const body = Buffer.alloc(3_000_000, 'content ');
    const headers = { 'Content-Type': 'text/plain' };
    const target = '/content/text/plain?uri=urn:x:content';
    const stored = await send(`${a!.url}${target}`, { method: 'PUT', headers, body });
    assert.ok(stored.status === 201 || stored.status === 204, stored.text);
    const read = await fetch(`${b!.url}${target}`, { headers: { [COMMIT]: stored.commit } });
    assert.equal(read.status, 200);
    assert.ok(Buffer.from(await read.arrayBuffer()).equals(body));
  });

  it('go on when the one that writes is killed, and it comes back with everything', { timeout }, async () => {
    const killed = await cluster().writer();
    const other = await cluster().reader();
    const before = await addTriples(killed, 'urn:x:survives', '<urn:x:s> <urn:x:p> "before" .\n');
    assert.equal(before.status, 201, before.text);
    await killed.kill();
    const after = await addTriples(other, 'urn:x:survives', '<urn:x:s> <urn:x:p> "after" .\n');
    assert.equal(after.status, 200, after.text);
    await killed.start();
    await killed.untilReady();
    const { text } = await readGraph(killed, 'urn:x:survives', after.commit);
    assert.equal(text, (await readGraph(other, 'urn:x:survives')).text);
    assert.deepEqual(text.match(/"\w+"/g)?.sort(), ['"after"', '"before"']);
  });
});
