import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CorsPolicy } from '../../../src/http/middleware/cors.ts';
import { fakeRequest } from '../fake-request.ts';

const APP = 'https://app.example';
const EVIL = 'https://evil.example';

/** The origin that may read the response, and whether the response varies with the origin. */
function headersFor(allow: readonly string[], origin: string | undefined, method = 'GET', asked?: string) {
  const headers = {
    ...(origin !== undefined && { origin }),
    ...(asked !== undefined && { 'access-control-request-method': asked }),
  };
  const path = '/context';
  const sent = new Map(new CorsPolicy(allow).headersFor(fakeRequest(method, path, { headers })));
  const allowed = sent.get('Access-Control-Allow-Origin');
  assert.equal(sent.has('Access-Control-Expose-Headers'), allowed !== undefined);
  assert.equal(sent.has('Access-Control-Allow-Credentials'), false);
  return `${allowed ?? 'none'}${sent.get('Vary') === 'Origin' ? ' varies' : ''}`;
}

test('no page of another origin may read by default', () => {
  for (const origin of [undefined, EVIL, 'null', '*']) {
    assert.equal(headersFor([], origin), 'none');
    assert.equal(headersFor([], origin, 'OPTIONS', 'PUT'), 'none');
  }
});

test('* lets pages of all origins read, and preflights announce reading only', () => {
  for (const origin of [undefined, EVIL, 'null']) {
    assert.equal(headersFor(['*'], origin), '*');
    assert.equal(headersFor(['*'], origin, 'PUT'), '*', 'of the rejection');
    assert.equal(headersFor(['*'], origin, 'OPTIONS', 'GET'), '*');
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
      assert.equal(headersFor(['*'], origin, 'OPTIONS', method), 'none');
    }
  }
});

test('named origins may read and write, and responses vary with the origin', () => {
  const allow = [APP, 'https://b.example'];
  for (const asked of [undefined, 'PUT', 'GET']) {
    assert.equal(headersFor(allow, APP, 'OPTIONS', asked), `${APP} varies`);
    for (const origin of [undefined, EVIL, 'null', `${APP}.evil.example`]) {
      assert.equal(headersFor(allow, origin, 'OPTIONS', asked), 'none varies');
    }
  }
});

test('with * and a named origin all origins may read and one may write', () => {
  const allow = ['*', APP];
  assert.equal(headersFor(allow, EVIL), '* varies');
  assert.equal(headersFor(allow, EVIL, 'OPTIONS', 'PUT'), 'none varies');
  assert.equal(headersFor(allow, APP, 'OPTIONS', 'PUT'), `${APP} varies`);
});

test('a preflight for a POST that only reads is one for reading', () => {
  const headers = { origin: EVIL, 'access-control-request-method': 'POST' };
  const request = fakeRequest('OPTIONS', '/ldpath/program', { headers });
  assert.equal(new Map(new CorsPolicy(['*']).headersFor(request)).get('Access-Control-Allow-Origin'), '*');
});

test('pages of other sites may embed responses only if an origin is allowed', () => {
  const embedding = (allow: readonly string[]) =>
    new Map(new CorsPolicy(allow).headersFor(fakeRequest('GET', '/'))).get('Cross-Origin-Resource-Policy');
  assert.equal(embedding([]), 'same-site');
  assert.equal(embedding(['*']), undefined);
  assert.equal(embedding([APP]), 'same-site', 'of an origin that is not named');
  assert.equal(embedding(['*', APP]), undefined);
});
