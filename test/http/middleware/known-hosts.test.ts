import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownHosts, type KnownHostsOptions } from '../../../src/http/middleware/known-hosts.ts';
import { fakeRequest } from '../fake-request.ts';

const defaults: KnownHostsOptions = { base: undefined, listen: '127.0.0.1', allow: [] };

/** The hosts of these that are rejected. */
function rejected(options: Partial<KnownHostsOptions>, hosts: readonly string[]): string[] {
  const known = new KnownHosts({ ...defaults, ...options });
  const rejection = (host: string) => known.check(fakeRequest('GET', '/context', { headers: { host } }));
  // Asked twice, since those that are known are remembered.
  for (const host of hosts) assert.deepEqual(rejection(host), rejection(host));
  return hosts.filter((host) => rejection(host) !== undefined);
}

const loopback = [
  'localhost',
  'localhost:8080',
  'localhost:1',
  'LocalHost:8080',
  'localhost.',
  'localhost.:8080',
  'pathpool.localhost:8080',
  '127.0.0.1',
  '127.0.0.1:8080',
  '127.1.2.3:8080',
  '127.1:8080',
  '[::1]',
  '[::1]:8080',
  '[0:0:0:0:0:0:0:1]:8080',
  '[::ffff:127.0.0.1]:8080',
];
const strangers = [
  '',
  'evil.example',
  'evil.example:8080',
  'localhost.evil.example',
  'evillocalhost',
  'localhost..',
  '127.0.0.1.evil.example',
  '127.0.0.1.nip.io:8080',
  '128.0.0.1',
  '0.0.0.0:8080',
  '192.168.1.5:8080',
  '[::2]:8080',
  '[::ffff:192.168.1.5]:8080',
  'localhost@evil.example',
  'evil.example@localhost',
  'localhost/evil.example',
  'evil.example#localhost',
  'localhost:8080:8080',
  'localhost:http',
  'localhost:99999',
  'localhost, evil.example',
  '%6cocalhost',
  '::1',
];

test('G-120: without more settings the names of loopback are known, with any port, and no others', () => {
  assert.deepEqual(rejected({}, loopback), []);
  assert.deepEqual(rejected({}, strangers), strangers);
});

test("the base's name is known, whatever its scheme, port and path", () => {
  const hosts = ['data.example.org', 'DATA.example.org.:80', 'data.example.org:8080', 'localhost:8080'];
  for (const base of ['https://data.example.org/store', 'http://Data.Example.org:9000']) {
    assert.deepEqual(rejected({ base }, hosts), []);
    assert.deepEqual(rejected({ base }, ['example.org', 'x.data.example.org']), [
      'example.org',
      'x.data.example.org',
    ]);
  }
  assert.deepEqual(rejected({ base: 'http://[2001:db8::1]:80' }, ['[2001:DB8:0::1]:8080']), []);
});

test('names that the operator allows are known', () => {
  const allow = ['pathpool', 'data.lan'];
  assert.deepEqual(rejected({ allow }, ['pathpool:8080', 'Data.LAN.', 'localhost']), []);
  assert.deepEqual(rejected({ allow }, ['x.data.lan', 'lan']), ['x.data.lan', 'lan']);
});

test('G-120: the listening address is known; on all addresses any address is known, but no name', () => {
  const addresses = ['192.168.1.5:8080', '10.0.0.1', '[2001:db8::1]:8080'];
  assert.deepEqual(rejected({ listen: '192.168.1.5' }, addresses), addresses.slice(1));
  assert.deepEqual(rejected({ listen: '2001:db8::1' }, addresses), addresses.slice(0, 2));
  assert.deepEqual(rejected({ listen: 'data.lan' }, ['data.lan:8080']), []);
  for (const listen of ['0.0.0.0', '0', '::', '::0', '0:0:0:0:0:0:0:0']) {
    assert.deepEqual(rejected({ listen }, addresses), []);
    assert.deepEqual(rejected({ listen }, ['evil.example', '10.0.0.1.nip.io']), [
      'evil.example',
      '10.0.0.1.nip.io',
    ]);
  }
});

test('the error says how to allow the name', () => {
  const request = fakeRequest('GET', '/', { headers: { host: 'Data.Example.org:80' } });
  const rejection = new KnownHosts(defaults).check(request);
  assert.equal(rejection?.code, 'misdirected');
  assert.match(rejection.message, /--allow-host data\.example\.org\b/);
});
