import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withCommitTokens } from '../../../src/http/middleware/commit-tokens.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/server/message.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { CommitWaiters } from '../../../src/store/main/commit-waiters.ts';
import { bodyJson, type FakeRequestOptions, fakeRequest, headerOf } from '../fake-request.ts';

/** A data set that has these commits, and gets others. */
function dataSet(newest: number) {
  const waiters = new CommitWaiters();
  const snapshot = { sequence: newest };
  const waited: number[] = [];
  return {
    identityName: 'abcd1234',
    snapshot,
    waited,
    whenCommitted: (sequence: number, limitMs: number) => {
      if (sequence <= snapshot.sequence) return Promise.resolve(true);
      waited.push(limitMs);
      return waiters.wait(sequence, sequence === 999 ? 0 : limitMs);
    },
    commit: () => waiters.note(++snapshot.sequence),
  };
}

type Handle = (request: HttpRequest) => HttpResponse;
const ok: Handle = () => ({ status: 200, headers: [] });

function send(
  commits: ReturnType<typeof dataSet>,
  [method, target]: readonly [string, string],
  options: FakeRequestOptions = {},
  handle: Handle = ok,
) {
  return withCommitTokens(handle, commits)(fakeRequest(method, target, options));
}

describe('the commit of a response', () => {
  it('G-150: is the newest one, at each response to a write, whatever its status', async () => {
    for (const method of ['PUT', 'POST', 'PATCH', 'DELETE']) {
      for (const status of [204, 404, 500]) {
        const response = await send(dataSet(12), [method, '/context'], {}, () => ({ status, headers: [] }));
        assert.equal(headerOf(response, 'Pathpool-Commit'), 'abcd1234.12');
      }
    }
  });

  it('G-150: is left out at reads', async () => {
    for (const [method, target] of [
      ['GET', '/context'],
      ['HEAD', '/context'],
      ['OPTIONS', '/context'],
      ['POST', '/ldpath/batch'],
    ] as const) {
      assert.equal(headerOf(await send(dataSet(12), [method, target]), 'Pathpool-Commit'), undefined);
    }
  });

  it('G-150: is left out where access control has admitted nothing', async () => {
    for (const path of ['/health/live', '/ping/']) {
      const response = await send(dataSet(12), ['PUT', path], {}, () => ({ status: 405, headers: [] }));
      assert.equal(headerOf(response, 'Pathpool-Commit'), undefined, path);
    }
  });

  it('G-150: is left out at the paths of the console, which say nothing of data', async () => {
    for (const [method, path] of [
      ['DELETE', '/'],
      ['POST', '/console'],
      ['POST', '/console/tasks'],
    ] as const) {
      const response = await send(dataSet(12), [method, path], {}, () => ({ status: 405, headers: [] }));
      assert.equal(headerOf(response, 'Pathpool-Commit'), undefined, path);
    }
  });

  it('is there after an update in a form', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const query = await send(dataSet(3), ['POST', '/sparql'], { headers });
    assert.equal(headerOf(query, 'Pathpool-Commit'), undefined);
    const request = Object.assign(fakeRequest('POST', '/sparql', { headers }), { mayWrite: true });
    const update = await withCommitTokens(ok, dataSet(3))(request);
    assert.equal(headerOf(update, 'Pathpool-Commit'), 'abcd1234.3');
  });

  it('of another process is passed on', async () => {
    const passed = { status: 204, headers: [['pathpool-commit', 'abcd1234.99']] } as const;
    const response = await send(dataSet(3), ['PUT', '/context'], {}, () => passed);
    assert.equal(headerOf(response, 'Pathpool-Commit'), 'abcd1234.99');
  });
});

describe('a request that names a commit', () => {
  it('G-151: waits until the data contain it', async () => {
    for (const [target, headers] of [
      ['/context', { 'Pathpool-Commit': 'abcd1234.14' }],
      ['/context?graph=urn:x:a&commit=abcd1234.14', {}],
    ] as const) {
      const commits = dataSet(12);
      let served = 0;
      const response = send(commits, ['GET', target], { headers }, () => {
        served = commits.snapshot.sequence;
        return { status: 200, headers: [] };
      });
      commits.commit();
      await new Promise(setImmediate);
      assert.equal(served, 0);
      commits.commit();
      assert.equal((await response).status, 200);
      assert.equal(served, 14);
      assert.deepEqual(commits.waited, [5000]);
    }
  });

  it('G-151: is 503 unavailable if the data do not get it in time', async () => {
    const headers = { 'Pathpool-Commit': 'abcd1234.999' };
    const response = await send(dataSet(12), ['GET', '/context'], { headers });
    assert.equal(response.status, 503);
    assert.equal(headerOf(response, 'Retry-After'), '1');
    assert.equal((bodyJson(response) as { code: string }).code, 'unavailable');
  });

  it('G-151: is 412 for another data set, and 400 for another form', async () => {
    const cases = [
      [{ 'Pathpool-Commit': 'zzzz1234.1' }, '/context', 412, 'precondition-failed'],
      [{ 'Pathpool-Commit': '12' }, '/context', 400, 'bad-arguments'],
      [{}, '/context?commit=abcd1234.x', 400, 'bad-query'],
      [{}, '/context?commit=', 200, undefined],
      [{}, '/context?recommit=12', 200, undefined],
      [{ 'Pathpool-Commit': '12' }, '/health/ready', 200, undefined],
      [{ 'Pathpool-Commit': 'zzzz1234.1' }, '/console/tasks', 200, undefined],
      [{}, '/?commit=abcd1234.999', 200, undefined],
    ] as const;
    for (const [headers, target, status, code] of cases) {
      const response = await send(dataSet(12), ['GET', target], { headers });
      assert.equal(response.status, status, target);
      if (code) assert.equal((bodyJson(response) as { code: string }).code, code);
    }
  });
});

describe('a client that may not read all graphs', () => {
  const none = iriPatterns([]);
  const requestOf = (method: string, target: string, headers = {}) =>
    Object.assign(fakeRequest(method, target, { headers }), { access: { read: none, write: none } });
  const passed = () => ({ status: 204, headers: [['Pathpool-Commit', 'abcd1234.99']] as const });

  it('G-164: learns no commit, neither of this process nor of another', async () => {
    for (const [handle, path] of [
      [ok, '/context'],
      [passed, '/context'],
      [ok, '/'],
      [ok, '/console/'],
    ] as const) {
      const response = await withCommitTokens(handle, dataSet(12))(requestOf('PUT', path));
      assert.equal(headerOf(response, 'Pathpool-Commit'), undefined, path);
    }
  });

  it('G-164: cannot wait for one', async () => {
    for (const request of [
      requestOf('GET', '/context', { 'Pathpool-Commit': 'abcd1234.12' }),
      requestOf('GET', '/context', { 'Pathpool-Commit': 'x' }),
      requestOf('PUT', '/context?commit=abcd1234.999'),
    ]) {
      const response = await withCommitTokens(ok, dataSet(12))(request);
      assert.equal(response.status, 403);
    }
  });

  it('is told through another process of the cluster, which must follow the commit', async () => {
    const peers = { trusts: () => true };
    const response = await withCommitTokens(ok, dataSet(12), peers)(requestOf('PUT', '/context'));
    assert.equal(headerOf(response, 'Pathpool-Commit'), 'abcd1234.12');
  });
});
