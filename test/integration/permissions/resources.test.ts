import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as, permissionArgs, requireUnaltered } from '../../support/restricted-client.ts';
import { BASE } from '../../support/server-process.ts';
import { sharedServer } from '../../support/shared-server.ts';

const turtle = { 'Content-Type': 'text/turtle' };
const RULES = ['read user:anna urn:open/*', 'write user:anna urn:own/* /resource/own* /context/default'];

/** Returns the addresses of all that section 3 of http-api has about a resource. */
function waysTo(uri: string) {
  const query = `?uri=${encodeURIComponent(uri)}`;
  return [
    [`/resource${query}`],
    [`/resource${query}`, { headers: { Accept: 'image/png;rel=content' } }],
    [`/resource${query}`, { method: 'HEAD' }],
    [`/resource${query}`, { method: 'OPTIONS' }],
    [`/resource${query}`, { method: 'PUT', headers: turtle, body: '' }],
    [`/resource${query}`, { method: 'PUT', headers: { 'Content-Type': 'x/y' }, body: '' }],
    [`/meta/text/turtle${query}`],
    [`/meta/application/ld+json${query}`],
    [`/meta/text/turtle${query}`, { method: 'HEAD' }],
    [`/meta/image/png${query}`],
    [`/content/image/png${query}`],
    [`/content/text/plain${query}`, { headers: { Range: 'bytes=0-0' } }],
    [`/content${query}`],
  ] as const;
}

/** Writes to what is hidden from anna, which are refused whether it exists or not. */
function refusedAt(uri: string) {
  const query = `?uri=${encodeURIComponent(uri)}`;
  const png = { 'Content-Type': 'image/png', 'If-Match': '*' };
  return [
    [`/resource${query}`, { method: 'POST' }],
    [`/resource${query}`, { method: 'DELETE' }],
    [`/meta${query}`, { method: 'DELETE' }],
    [`/content${query}`, { method: 'DELETE' }],
    [`/content/image/png${query}`, { method: 'PUT', headers: png, body: 'x' }],
  ] as const;
}

describe('resources of a client that may read and write some graphs', () => {
  const server = sharedServer((scope) => permissionArgs(scope, RULES));
  const root = () => as('root', server);
  const anna = () => as('anna', server);
  const put = (graph: string, body: string) =>
    root().send(`/context?graph=${encodeURIComponent(graph)}`, { method: 'PUT', headers: turtle, body });
  const putContent = (uri: string, body: string) =>
    root().send(`/content/image/png?uri=${uri}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'image/png' },
      body,
    });

  it('G-161, G-163: hidden graphs, content and registrations change no byte', async () => {
    await put('urn:open/a', '<urn:x> <urn:p> [ <urn:q> 1 ] . <urn:own/c> <urn:p> 1 .');
    const requests = [
      ...waysTo('urn:x'),
      ...waysTo('urn:hidden/x'),
      ...refusedAt('urn:hidden/x'),
      ...waysTo('urn:h'),
    ];
    await requireUnaltered(anna(), requests, [
      () => put('urn:hidden/g', '<urn:x> <urn:p> 2 . <urn:hidden/x> <urn:x> <urn:h> .'),
      () => put('urn:hidden/x', '<urn:x> <urn:q> <urn:x> .'),
      () => putContent('urn:hidden/x', 'bytes'),
      () => putContent('urn:x', 'bytes'),
      () => root().send('/resource?uri=urn:h', { method: 'POST' }),
      () => put('urn:hidden/g', ''),
      () => root().send('/content?uri=urn:hidden/x', { method: 'DELETE' }),
      () => root().send('/resource?uri=urn:hidden/x', { method: 'DELETE' }),
      () => root().send('/resource?uri=urn:h', { method: 'DELETE' }),
    ]);
  });

  it('G-163: content and registrations are those of names that the client may write', async () => {
    await anna().expect(404, '/resource?uri=urn:hidden/new', { method: 'POST' });
    await anna().expect(403, '/resource?uri=urn:open/new', { method: 'POST' });
    await anna().expect(403, '/resource', { method: 'POST' });
    await anna().expect(201, '/resource/own1', { method: 'POST' });
    await anna().expect(302, '/resource/own1', { method: 'POST' });
    const image = { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: 'bytes' };
    await anna().expect(403, '/content/image/png?uri=urn:open/c', image);
    await anna().expect(201, '/content/image/png?uri=urn:own/c', image);
    assert.equal(await (await anna().expect(200, '/content/image/png?uri=urn:own/c')).text(), 'bytes');
  });

  it('G-165: a resource that occurs only as a predicate does not exist', async () => {
    await put('urn:open/k', '<urn:open/k> <urn:k> 1 .');
    await anna().expect(404, '/resource?uri=urn:k');
    await root().expect(303, '/resource?uri=urn:k');
  });

  it('creates a resource that only hidden graphs mention', async () => {
    await put('urn:hidden/m', `<${BASE}/resource/own2> <urn:p> 1 .`);
    await anna().expect(404, '/resource/own2');
    await anna().expect(201, '/resource/own2', { method: 'POST' });
    await anna().expect(303, '/resource/own2');
  });

  it('G-167: PUT of a description changes only what the client may write', async () => {
    await put('urn:own/d', '<urn:d> <urn:p> 1, 2 .');
    await put('urn:hidden/d', '<urn:d> <urn:p> 3 .');
    const meta = '/meta/text/turtle?uri=urn:d';
    const tag = (await anna().send(meta)).headers.get('etag') ?? '';
    await put('urn:hidden/d2', '<urn:d> <urn:p> 4 .');
    const sent = { method: 'PUT', headers: { ...turtle, 'If-Match': tag }, body: '<urn:d> <urn:p> 2, 3 .' };
    const { added, removed } = (await (await anna().expect(200, meta, sent)).json()) as Record<
      string,
      number
    >;
    assert.deepEqual([added, removed], [1, 1], '3 is new to the client');
    await anna().expect(412, meta, sent);
    const all = await (await root().send('/dataset')).text();
    for (const value of [2, 3, 4]) assert.match(all, new RegExp(`<urn:d> <urn:p> "${value}"`));
    await put('urn:open/d', '<urn:d> <urn:p> 5 .');
    await anna().expect(403, meta, { method: 'PUT', headers: turtle, body: '<urn:d> <urn:p> 2 .' });
    await anna().expect(403, '/meta?uri=urn:d', { method: 'DELETE' });
    assert.match(await (await anna().send(meta)).text(), /5/);
  });

  it('G-167, R-35: DELETE removes what the client may write, or nothing if it sees more', async () => {
    await put('urn:own/e', '<urn:e> <urn:p> [ <urn:q> <urn:e> ] . <urn:own/f> <urn:e> 1 .');
    await put('urn:hidden/e', '<urn:e> <urn:p> 7 . <urn:s> <urn:p> <urn:e> .');
    await root().send('/resource?uri=urn:e', { method: 'POST' });
    await anna().expect(200, '/resource?uri=urn:e', { method: 'DELETE' });
    await anna().expect(404, '/resource?uri=urn:e');
    assert.doesNotMatch(await (await root().send('/dataset')).text(), /<urn:own\/e>/);
    assert.match(await (await root().send('/dataset')).text(), /<urn:e> <urn:p> "7"/);
    await put('urn:open/e', '<urn:s> <urn:p> <urn:e> .');
    await put('urn:own/e', '<urn:e> <urn:p> 1 .');
    const refused = await anna().expect(403, '/resource?uri=urn:e', { method: 'DELETE' });
    assert.equal(((await refused.json()) as { uri: string }).uri, 'urn:open/e');
    assert.match(await (await root().send('/dataset')).text(), /<urn:own\/e>/);
  });

  it('DELETE leaves a hidden graph of that name alone, and removes a visible one', async () => {
    await put('urn:hidden/g', `PREFIX e: <urn:e/> e:a <urn:p> <urn:own/g> .`);
    await put('urn:own/g', '<urn:a> <urn:p> <urn:hidden/g> .');
    await anna().expect(200, '/resource?uri=urn:hidden/g', { method: 'DELETE' });
    const left = await root().expect(200, '/context?graph=urn:hidden/g');
    assert.match(await left.text(), /e:a/);
    await put('urn:own/g', '<urn:a> <urn:p> 1 .');
    await anna().expect(200, '/resource?uri=urn:own/g', { method: 'DELETE' });
    await root().expect(404, '/context?graph=urn:own/g');
  });

  it('G-167: DELETE keeps an empty graph that the client may only read', async () => {
    await put('urn:open/empty', '');
    const refused = await anna().expect(403, '/resource?uri=urn:open/empty', { method: 'DELETE' });
    assert.equal(((await refused.json()) as { uri: string }).uri, 'urn:open/empty');
    await anna().expect(200, '/context?graph=urn:open/empty');
    await put('urn:own/empty', '');
    await anna().expect(200, '/resource?uri=urn:own/empty', { method: 'DELETE' });
    await root().expect(404, '/context?graph=urn:own/empty');
  });
});
