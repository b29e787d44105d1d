import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ldpClient, linksOf, model, problemOf, ROOT, turtle } from '../support/ldp-client.ts';
import { sharedServer } from '../support/shared-server.ts';

describe('the server', () => {
  const server = sharedServer(['--memory', '--threads', '1']);
  const { get, post, put, remove } = ldpClient(server);

  it('passes rows 19 to 26 of http-api Annex C', async () => {
    const container = await post('', { ...turtle, ...model('BasicContainer'), Slug: 'c' }, '<> <urn:p> 1 .');
    assert.deepEqual([container.status, container.headers.get('location')], [201, `${ROOT}/c`]);
    const picture = await post('/c', { 'Content-Type': 'image/png', Slug: 'p' }, 'png');
    const uri = `${ROOT}/c/p.png`;
    assert.deepEqual([picture.status, picture.headers.get('location')], [201, uri]);
    assert.ok(linksOf(picture).includes(`describedby ${uri}.meta ${uri}`));
    const described = await get('/c/p.png', { Accept: 'text/turtle' });
    assert.equal(described.status, 200);
    assert.match(described.headers.get('content-type') ?? '', /^text\/turtle/);
    assert.equal((await put('/c', turtle, '<> <urn:p> 2 .')).status, 428);
    assert.equal(await problemOf(await remove('/c')), '409 container-not-empty');
    assert.equal((await remove('/c/p.png')).status, 204);
    assert.equal((await get('/c/p.png')).status, 410);
    assert.equal((await get('/c/p.png.meta')).status, 410);
    assert.equal((await fetch(`${server.url}/constraints/ldp`)).status, 200);
  });
});
