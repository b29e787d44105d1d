import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as, permissionArgs, requireUnaltered } from '../../support/restricted-client.ts';
import { BASE } from '../../support/server-process.ts';
import { sharedServer } from '../../support/shared-server.ts';

const turtle = { 'Content-Type': 'text/turtle' };
const nquads = { 'Content-Type': 'application/n-quads' };
const at = (graph: string, path = '/context') => `${path}?graph=${encodeURIComponent(graph)}`;
const LABEL = '<http://www.w3.org/2000/01/rdf-schema#label>';

describe('graphs of a client that may read and write some of them', () => {
  const server = sharedServer((scope) =>
    permissionArgs(scope, ['read user:anna urn:open/*', 'write user:anna urn:own/* /context/anna']),
  );
  const root = () => as('root', server);
  const anna = () => as('anna', server);
  const put = (graph: string, body: string) =>
    root().send(at(graph), { method: 'PUT', headers: turtle, body });

  it('G-161: hidden graphs change no byte of lists, documents and the data set', async () => {
    await put('urn:open/a', '<urn:s> <urn:p> 1 .');
    await put('urn:own/b', '<urn:s> <urn:p> 2, 3 .');
    const requests = [
      ['/context/list'],
      ['/context/list?labels'],
      ['/context/list?labels&offset=1&limit=1'],
      ['/context?filter'],
      ['/dataset'],
      ['/dataset', { method: 'HEAD' }],
      ['/dataset?format=trig'],
      ['/store'],
      [at('urn:open/a')],
      [at('urn:hidden/x')],
      [at('urn:hidden/x'), { method: 'HEAD' }],
      [at('urn:hidden/x'), { method: 'OPTIONS' }],
      [at('urn:hidden/x', '/store')],
      [at('urn:hidden/x'), { method: 'DELETE' }],
      [at('urn:hidden/x'), { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: 'x' }],
      [at('urn:hidden/x'), { method: 'POST', headers: { ...turtle, 'If-Match': '*' }, body: 'x' }],
      ['/context/hidden'],
      ['/store?default'],
    ] as const;
    await requireUnaltered(anna(), requests, [
      () => put('urn:hidden/x', `PREFIX h: <urn:h/> <urn:open/a> ${LABEL} "secret" . <urn:s> h:p 7 .`),
      () => put('urn:hidden/x', '<urn:s> <urn:p> 1, 8 .'),
      () => put(`${BASE}/context/hidden`, '<urn:s> <urn:p> 9 .'),
      () => put(`${BASE}/context/default`, '<urn:s> <urn:p> 10 .'),
      () => root().send(at('urn:hidden/x'), { method: 'DELETE' }),
    ]);
  });

  it('G-162, G-167: POST and PUT without a parameter name a graph', async () => {
    const sent = { headers: turtle, body: '<urn:s> <urn:p> 1 .' };
    for (const method of ['POST', 'PUT']) {
      const refused = await anna().expect(404, '/context', { ...sent, method });
      assert.match(await refused.text(), /graph-not-found/);
    }
  });

  it('G-161: lists and documents have what the client may read', async () => {
    await put('urn:open/c', '<urn:c> <urn:p> 1 .');
    await put('urn:hidden/c', '<urn:c> <urn:p> 2 .');
    const list = (await (await anna().send('/context/list')).json()) as string[];
    assert.ok(list.includes('urn:open/c'));
    assert.ok(list.every((name) => /^urn:(open|own)\//.test(name)));
    const [first] = (await (await anna().send('/context/list?offset=0&limit=1')).json()) as string[];
    assert.equal(first, list[0]);
    const all = await (await anna().send('/dataset')).text();
    assert.ok(all.includes('<urn:open/c>') && !all.includes('hidden'));
  });

  it('G-162: refuses writes, with 404 where the client may not even read', async () => {
    await put('urn:open/d', '<urn:d> <urn:p> 1 .');
    const body = '<urn:d> <urn:p> 2 .';
    for (const method of ['PUT', 'POST', 'DELETE']) {
      const sent = { method, headers: turtle, ...(method !== 'DELETE' && { body }) };
      const refused = await anna().expect(403, at('urn:open/d'), sent);
      const { code, uri } = (await refused.json()) as { code: string; uri: string };
      assert.deepEqual([code, uri], ['forbidden', 'urn:open/d']);
      await anna().expect(404, at('urn:hidden/none'), sent);
      await anna().expect(404, '/store?default', sent);
    }
    await anna().expect(201, '/context/anna', { method: 'PUT', headers: turtle, body });
    await anna().expect(201, at('urn:own/d'), { method: 'POST', headers: turtle, body });
    await anna().expect(200, at('urn:own/d'), { method: 'DELETE' });
    await anna().expect(403, '/store', { method: 'POST', headers: turtle, body });
    assert.equal((await (await root().send(`${at('urn:open/d')}&format=nt`)).text()).split('\n').length, 2);
  });

  it('G-162, G-167: adds to the data set all quads or none, and never replaces it', async () => {
    const post = (body: string) => ({ method: 'POST', headers: nquads, body });
    await anna().expect(200, '/dataset', post('<urn:e> <urn:p> <urn:o> <urn:own/e> .\n'));
    for (const [status, graph] of [
      [404, '<urn:hidden/e>'],
      [403, '<urn:open/e>'],
      [404, ''],
    ] as const) {
      const body = `<urn:e> <urn:p> <urn:o> <urn:own/e2> .\n<urn:e> <urn:p> <urn:o> ${graph} .\n`;
      await anna().expect(status, '/dataset', post(body));
    }
    await anna().expect(404, at('urn:own/e2'));
    await anna().expect(403, '/dataset', { method: 'PUT', headers: nquads, body: '' });
    await anna().expect(403, '/dataset', {
      method: 'PUT',
      headers: { ...nquads, 'If-Match': '*' },
      body: '',
    });
  });

  it('G-167: gives no earlier states, which would tell which commits there are', async () => {
    await put('urn:open/h', '<urn:h> <urn:p> 1 .');
    await anna().expect(403, `${at('urn:open/h')}&commit=1`);
    await anna().expect(403, at('urn:open/h'), { headers: { 'Accept-Datetime': new Date().toUTCString() } });
    await anna().expect(403, `${at('urn:hidden/h')}&commit=1`);
  });

  it('takes the tag that it has given for a precondition on the data set', async () => {
    const { headers } = await anna().send('/dataset');
    const post = (line: string, match: string) =>
      anna().send('/dataset', { method: 'POST', headers: { ...nquads, 'If-Match': match }, body: line });
    const tag = headers.get('etag') ?? '';
    await put('urn:hidden/f', '<urn:f> <urn:p> 1 .');
    assert.equal((await post('<urn:f> <urn:p> <urn:o> <urn:own/f> .\n', tag)).status, 200);
    assert.equal((await post('<urn:f> <urn:p> <urn:o2> <urn:own/f> .\n', tag)).status, 412);
  });
});
