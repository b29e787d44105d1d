import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientAddress, parseAddress } from '../../../src/http/middleware/ip-address.ts';
import { TrustedProxies } from '../../../src/http/middleware/trusted-proxies.ts';
import { fakeRequest } from '../fake-request.ts';

const PROXY = '10.0.0.1';
const CLIENT = '198.51.100.7';
const networks = ['10.0.0.0/8', '2001:db8:aaaa::/48', '192.0.2.1'];
const proxies = new TrustedProxies(networks);

function clientOf(headers: Record<string, string>, connection = PROXY): string {
  const request = fakeRequest('GET', '/', { headers });
  const client = proxies.clientOf(connection, request);
  assert.equal(proxies.clientOf(connection, request), client, 'remembered');
  return client;
}
const byList = (list: string, connection?: string) => clientOf({ 'x-forwarded-for': list }, connection);
const byForwarded = (value: string, connection?: string) => clientOf({ forwarded: value }, connection);

for (const [list, client] of [
  [CLIENT, CLIENT],
  [`  ${CLIENT}  `, CLIENT],
  [`${CLIENT}:4711`, CLIENT],
  [`1.1.1.1, ${CLIENT}`, CLIENT],
  [`garbage, ${CLIENT}`, CLIENT],
  [`1.1.1.1,${CLIENT},10.2.3.4,192.0.2.1`, CLIENT],
  ['10.0.0.9, 10.0.0.8', '10.0.0.9'],
  ['2001:DB8::7', '2001:0db8:0000:0000:0000:0000:0000:0007'],
  ['[2001:db8::7]:443', '2001:0db8:0000:0000:0000:0000:0000:0007'],
  [`${CLIENT}, 2001:db8:aaaa::1`, CLIENT],
  [`${CLIENT}, ::ffff:10.0.0.2`, CLIENT],
  ['::ffff:198.51.100.7', CLIENT],
  // What can't be read ends the walk at the nearest address that is known.
  ['', PROXY],
  ['unknown', PROXY],
  [`${CLIENT}, garbage`, PROXY],
  [`${CLIENT}, `, PROXY],
  [`${CLIENT}, garbage, 10.0.0.2`, '10.0.0.2'],
  ['1.2.3', PROXY],
  ['1.2.3.4.5', PROXY],
  ['010.0.0.1', PROXY],
  ['1.2.3.4:', PROXY],
  ['fe80::1%eth0', PROXY],
  ['[::1', PROXY],
  [`${'1.1.1.1, '.repeat(1_000)}${CLIENT}`, PROXY],
] as const) {
  test(`X-Forwarded-For: ${list.slice(0, 60)} means ${client}`, () => assert.equal(byList(list), client));
}

for (const [value, client] of [
  [`for=${CLIENT}`, CLIENT],
  [`For="${CLIENT}:4711";proto=https;by=10.0.0.1`, CLIENT],
  [`proto=http;host="a;for=1.1.1.1";for=${CLIENT}`, CLIENT],
  ['for="[2001:db8::7]:4711"', '2001:0db8:0000:0000:0000:0000:0000:0007'],
  [`for=1.1.1.1, for=${CLIENT}, for=10.2.3.4;proto=http`, CLIENT],
  [`for="unfinished, for=${CLIENT}`, CLIENT],
  [`;;;=, for=${CLIENT}`, CLIENT],
  ['for=unknown', PROXY],
  ['for=_hidden', PROXY],
  ['for=_hidden, for=10.0.0.2', '10.0.0.2'],
  ['by=1.1.1.1', PROXY],
  [`for=${CLIENT};host="a,for=1.1.1.1"`, PROXY],
  [`for=${CLIENT};host="a,for=1.1.1.1;x="`, PROXY],
  [`for=${CLIENT};host="a\\",for=1.1.1.1;x=\\"b"`, PROXY],
  ['for=1.1.1.1 1.1.1.2', PROXY],
  ['', PROXY],
] as const) {
  test(`Forwarded: ${value} means ${client}`, () => assert.equal(byForwarded(value), client));
}

test('an untrusted connection is the client, whatever its headers say', () => {
  for (const connection of [CLIENT, '127.0.0.1', '2001:0db8:0000:0000:0000:0000:0000:0007']) {
    assert.equal(byList('1.1.1.1', connection), connection);
    assert.equal(byForwarded('for=1.1.1.1', connection), connection);
  }
  assert.equal(clientOf({}), PROXY);
});

test('a connection from a trusted IPv6 address is trusted', () => {
  const connection = '2001:0db8:aaaa:0000:0000:0000:0000:0001';
  assert.equal(byList(CLIENT, connection), CLIENT);
});

test('G-115: X-Forwarded-For and Forwarded count if they agree, since a proxy forwards the one it ignores', () => {
  assert.equal(clientOf({ forwarded: `for=${CLIENT}`, 'x-forwarded-for': CLIENT }), CLIENT);
  assert.equal(clientOf({ forwarded: 'for=1.1.1.1', 'x-forwarded-for': CLIENT }), PROXY);
  assert.equal(clientOf({ forwarded: 'for=1.1.1.1', 'x-forwarded-for': 'garbage' }), PROXY);
});

test('addresses are normalised', () => {
  assert.equal(clientAddress('0000:0000:0000:0000:0000:ffff:c633:6407'), CLIENT);
  assert.equal(clientAddress(CLIENT), CLIENT);
  for (const [text, form] of [
    ['::', '0000:0000:0000:0000:0000:0000:0000:0000'],
    ['::1', '0000:0000:0000:0000:0000:0000:0000:0001'],
    ['1::', '0001:0000:0000:0000:0000:0000:0000:0000'],
    ['1:2:3:4:5:6:7:8', '0001:0002:0003:0004:0005:0006:0007:0008'],
    ['64:ff9b::192.0.2.1', '0064:ff9b:0000:0000:0000:0000:c000:0201'],
    ['::FFFF:192.0.2.1', '192.0.2.1'],
    ['192.0.2.1', '192.0.2.1'],
    ['256.0.0.1', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(parseAddress(text), form, text);
  }
});
