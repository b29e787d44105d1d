import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientKey, networkOf } from '../../src/base/caller.ts';
import { fakeCaller } from '../support/callers.ts';

test('an IPv4 address is a client, of IPv6 the network of 64 bits is, in whatever form', () => {
  const networks = [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:0db8:0000:0001:0000:0000:0000:0001', '2001:0db8:0000:0001'],
    ['2001:db8:0:1::1', '2001:0db8:0000:0001'],
    ['2001:DB8:0:1:ffff::', '2001:0db8:0000:0001'],
    ['2001:db8::1', '2001:0db8:0000:0000'],
    ['::1', '0000:0000:0000:0000'],
    ['fe80::1:2:3:4', 'fe80:0000:0000:0000'],
    ['0000:0000:0000:0000:0000:ffff:c000:0201', '0000:0000:0000:0000:0000:ffff:c000:0201'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ] as const;
  for (const [address, network] of networks) assert.equal(networkOf(address), network);
});

test('who has a credential is the same client at any address, and never one that has an address only', () => {
  const at = (address: string, user?: string) => clientKey({ ...fakeCaller(undefined, address), user });
  assert.equal(at('192.0.2.1', 'ann'), at('192.0.2.2', 'ann'));
  assert.notEqual(at('192.0.2.1', 'ann'), at('192.0.2.1', 'bob'));
  assert.notEqual(at('192.0.2.1', 'ann'), at('192.0.2.1'));
  assert.notEqual(at('192.0.2.9', '192.0.2.1'), at('192.0.2.1'));
  assert.equal(clientKey(undefined), '');
});
