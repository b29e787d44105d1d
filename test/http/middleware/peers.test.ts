import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { AddressLimit } from '../../../src/http/middleware/address-limit.ts';
import { KnownHosts } from '../../../src/http/middleware/known-hosts.ts';
import { OriginPolicy } from '../../../src/http/middleware/origin-policy.ts';
import { Peers } from '../../../src/http/middleware/peers.ts';
import { serve, text } from '../test-server.ts';

const base = 'http://data.example';

/** A server with rules for hosts and origins, and for rates. */
async function guarded(context: TestContext) {
  const peers = new Peers();
  peers.trust('secret');
  const hosts = new KnownHosts({ base, listen: '10.0.0.1', allow: [] });
  const origins = new OriginPolicy({ base, scheme: 'http', hosts, allow: [] });
  const requests = new AddressLimit(0.001, 1);
  const rules = { peers, hosts, origins, requests };
  return serve(context, ({ remoteAddress }) => text(remoteAddress), rules);
}

function send(url: string, peer: string, client: string): Promise<Response> {
  const headers = { 'Pathpool-Peer': peer, 'Pathpool-Client': client, Origin: 'http://page.example' };
  return fetch(`${url}/context`, { method: 'PUT', body: 'x', headers });
}

describe('G-155: a request that another process has forwarded', () => {
  it('has passed the rules for origins there, and is counted by its client', async (context) => {
    const { url } = await guarded(context);
    const first = await send(url, 'secret', '192.0.2.1');
    assert.equal(await first.text(), '192.0.2.1');
    assert.equal((await send(url, 'secret', '192.0.2.2')).status, 200);
    assert.equal((await send(url, 'secret', '192.0.2.2')).status, 429);
  });

  it('is an ordinary one without the secret', async (context) => {
    const { url } = await guarded(context);
    assert.equal((await send(url, 'guessed', '192.0.2.1')).status, 403);
    assert.equal((await send(url, 'secreT', '192.0.2.1')).status, 429);
  });
});
