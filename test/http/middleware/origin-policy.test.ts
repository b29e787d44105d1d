import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KnownHosts } from '../../../src/http/middleware/known-hosts.ts';
import { OriginPolicy } from '../../../src/http/middleware/origin-policy.ts';
import { fakeRequest } from '../fake-request.ts';

const APP = 'https://app.example';

interface Settings {
  readonly base?: string;
  readonly scheme?: 'http' | 'https';
  readonly allow?: readonly string[];
  readonly allowHost?: readonly string[];
}

function rejection(settings: Settings, headers: Record<string, string>, method = 'PUT', path = '/context') {
  const { base, scheme = 'http', allow = [], allowHost = [] } = settings;
  const hosts = new KnownHosts({ base, listen: '127.0.0.1', allow: allowHost });
  const request = fakeRequest(method, path, { headers: { host: 'localhost:8080', ...headers } });
  return new OriginPolicy({ base, scheme, hosts, allow }).check(request)?.code;
}

const foreign: readonly Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: '' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'something-new' },
  { 'sec-fetch-site': 'none, cross-site' },
  // Another program on this machine, whose pages a stranger may write.
  { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' },
  { origin: 'http://localhost:3000' },
  { origin: 'http://localhost' },
  { origin: 'https://localhost:8080' },
  { origin: 'http://127.0.0.1:8080' },
  { origin: 'http://localhost:8080.evil.example' },
  { origin: 'http://localhost:8080, https://evil.example' },
  { origin: 'http://localhost:8080', 'sec-fetch-site': 'cross-site' },
  { origin: 'http://evil.example:8080', host: 'evil.example:8080', 'sec-fetch-site': 'same-origin' },
  { origin: '*' },
];
const own: readonly Record<string, string>[] = [
  {},
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost:8080' },
  { origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://127.0.0.1:8080', host: '127.0.0.1:8080', 'sec-fetch-site': 'same-origin' },
  { origin: 'http://localhost:8080', host: '127.0.0.1:8080' },
  { origin: 'http://localhost', host: 'localhost' },
  { origin: 'http://localhost', host: 'localhost:80' },
  { origin: 'http://[::1]:8080', host: '[::1]:8080' },
];

for (const method of ['PUT', 'POST', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'post']) {
  test(`${method} from a page of another origin is rejected`, () => {
    for (const headers of foreign)
      assert.equal(rejection({}, headers, method), 'cross-origin', JSON.stringify(headers));
    for (const headers of own)
      assert.equal(rejection({}, headers, method), undefined, JSON.stringify(headers));
  });
}

test('G-121: a request that only reads is never rejected', () => {
  for (const headers of [...foreign, ...own]) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) assert.equal(rejection({}, headers, method), undefined);
    for (const path of ['/ldpath/program', '/ldpath/batch', '/ldpath/debug']) {
      assert.equal(rejection({}, headers, 'POST', path), undefined);
    }
  }
  for (const path of ['/ldpath', '/ldpathology', '/ldp', '/context/ldpath/']) {
    assert.equal(rejection({}, foreign[0]!, 'POST', path), 'cross-origin');
  }
});

test('the base and the address of the request are both own origins', () => {
  const base = 'https://data.example.org/store';
  const at = (origin: string, host = 'data.example.org') => rejection({ base }, { origin, host });
  assert.equal(at('https://data.example.org'), undefined);
  assert.equal(at('https://data.example.org', 'backend-3'), undefined);
  assert.equal(at('http://127.0.0.1:8080', '127.0.0.1:8080'), undefined);
  // A page that came without encryption may have been written by anyone on the way.
  for (const origin of [
    'https://data.example.org:8443',
    'https://example.org',
    'https://x.data.example.org',
    'http://data.example.org',
  ]) {
    assert.equal(at(origin), 'cross-origin', origin);
  }
  assert.equal(at('http://localhost:8080', '127.0.0.1:8080'), 'cross-origin');
});

test('http: and https: of one name are different origins', () => {
  const at = (origin: string) => rejection({ scheme: 'https' }, { origin });
  assert.equal(at('https://localhost:8080'), undefined);
  assert.equal(at('http://localhost:8080'), 'cross-origin');
});

test('a host name that the operator allows is an own origin', () => {
  const headers = { origin: 'http://pathpool:8080', host: 'pathpool:8080' };
  assert.equal(rejection({}, headers), 'cross-origin');
  assert.equal(rejection({ allowHost: ['pathpool'] }, headers), undefined);
});

test('G-121: only named origins may write', () => {
  const allow = [APP, 'http://localhost:3000'];
  for (const site of ['cross-site', 'same-site']) {
    assert.equal(rejection({ allow }, { origin: APP, 'sec-fetch-site': site }), undefined);
    assert.equal(
      rejection({ allow }, { origin: 'http://localhost:3000', 'sec-fetch-site': site }),
      undefined,
    );
  }
  for (const headers of foreign.filter(({ origin }) => origin !== 'http://localhost:3000')) {
    assert.equal(rejection({ allow }, headers), 'cross-origin', JSON.stringify(headers));
  }
  for (const origin of [`${APP}:8443`, 'http://app.example', `${APP}.evil.example`, `${APP}/`]) {
    assert.equal(rejection({ allow }, { origin }), 'cross-origin', origin);
  }
});

test('the origin * permits no writes', () => {
  for (const headers of foreign) assert.equal(rejection({ allow: ['*'] }, headers), 'cross-origin');
  assert.equal(rejection({ allow: ['*', APP] }, { origin: APP }), undefined);
  assert.equal(rejection({ allow: ['*', APP] }, { origin: 'https://evil.example' }), 'cross-origin');
});
