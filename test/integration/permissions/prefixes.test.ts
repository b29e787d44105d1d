import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as, permissionArgs } from '../../support/restricted-client.ts';
import { sharedServer } from '../../support/shared-server.ts';

const turtle = { 'Content-Type': 'text/turtle' };

describe('prefixes and a client that may write some graphs', () => {
  const server = sharedServer((scope) => permissionArgs(scope, ['write user:anna urn:own/*']));

  it('G-164: it reads them, and cannot change them', async () => {
    const [root, anna] = [as('root', server), as('anna', server)];
    await root.expect(201, '/prefixes/kept', { method: 'PUT', body: 'urn:kept/' });
    await anna.expect(200, '/prefixes/kept');
    await anna.expect(403, '/prefixes/kept', { method: 'PUT', body: 'urn:other/' });
    await anna.expect(403, '/prefixes/new', { method: 'PUT', body: 'urn:new/' });
    await anna.expect(403, '/prefixes/kept', { method: 'DELETE' });
    await anna.expect(403, '/prefix/new?uri=urn:new/', { method: 'POST' });
    await anna.expect(403, '/prefix/kept', { method: 'DELETE' });
    const table = (await (await root.send('/prefixes')).json()) as Record<string, string>;
    assert.equal(table['kept'], 'urn:kept/');
    assert.equal(table['new'], undefined);
  });

  it('G-164: it stores none with an upload', async () => {
    const anna = as('anna', server);
    const body = '@prefix new: <urn:new/> . <urn:s> new:p 1 .';
    const graph = '/context?graph=urn:own/a';
    await anna.expect(403, `${graph}&prefixes=store`, { method: 'PUT', headers: turtle, body });
    await anna.expect(404, graph);
    await anna.expect(201, graph, { method: 'PUT', headers: turtle, body });
  });
});
