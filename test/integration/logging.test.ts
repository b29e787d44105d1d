import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { rawRequest } from '../support/raw-request.ts';
import { runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { tested } from '../support/tested-front.ts';

type Line = Record<string, unknown>;

const GRAPH = '/context?graph=http://example.org/g';
const turtle = { 'Content-Type': 'text/turtle' };

/** All lines so far. A line that is not JSON fails the test. */
function linesOf({ errors }: ServerProcess): Line[] {
  return errors
    .slice(0, errors.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

/** Waits for a line with that event and those fields. */
async function lineOf(server: ServerProcess, event: string, fields: Line = {}): Promise<Line> {
  for (;;) {
    const found = linesOf(server).find(
      (line) =>
        line['event'] === event && Object.entries(fields).every(([name, value]) => line[name] === value),
    );
    if (found) return found;
    await once(server.process.stderr!, 'data');
  }
}

/** Without a warning that uWebSockets.js can't be loaded. */
const chosenFront = { PATHPOOL_FRONT: tested.front };

async function logging(t: TestContext, level: string, args: readonly string[]): Promise<ServerProcess> {
  return startServer(t, ['--threads', '1', '--log-level', level, ...args], chosenFront, null);
}

describe('the log', () => {
  it('has start and stop, requests, rejected writes and failures at level info', {
    timeout: 300_000,
  }, async (t) => {
    const directory = await temporaryDirectory(t);
    const server = await logging(t, 'info', ['--data', directory, '--evaluation-steps', '1']);
    const start = await lineOf(server, 'start');
    assert.deepEqual([start['url'], start['data'], start['threads']], [server.url, directory, 1]);
    assert.equal(start['level'], 30);

    const stored = await rawRequest(
      server.url + GRAPH,
      'PUT',
      { ...turtle, 'X-Request-Id': 'put-1' },
      '<urn:x:s> <urn:x:p> 1, 2, 3, 4 .',
    );
    assert.equal(stored.status, 201);
    const put = await lineOf(server, 'request', { requestId: 'put-1' });
    assert.deepEqual(
      [put['method'], put['target'], put['status'], put['bytes'], put['client']],
      ['PUT', GRAPH, 201, stored.text.length, '127.0.0.1'],
    );
    assert.ok(Number(put['duration']) > 0);

    const rejected = await rawRequest(
      server.url + GRAPH,
      'PUT',
      { ...turtle, 'If-Match': '"x"' },
      '<urn:x:s> <urn:x:p> 1 .',
    );
    assert.equal(rejected.status, 412);
    const line = await lineOf(server, 'write-refused', { method: 'PUT' });
    assert.deepEqual(
      [line['code'], line['requestId']],
      ['precondition-failed', rejected.headers['x-request-id']],
    );

    const failed = await rawRequest(`${server.url}/ldpath/path?path=*/*/*&uri=urn:x:s`, 'GET');
    assert.equal(failed.status, 504);
    const failure = await lineOf(server, 'request-failed');
    assert.deepEqual([failure['code'], failure['status']], ['budget-exceeded', 504]);

    assert.equal(await server.end('SIGTERM'), 0);
    const events = linesOf(server).map(({ event }) => event);
    assert.deepEqual(events.slice(-2), ['stopping', 'stop']);
    assert.equal(events.filter((event) => event === 'request').length, 3);
  });

  it('has the parts that could not be closed, and the server ends with status 2', {
    timeout: 300_000,
  }, async (t) => {
    const failing = `import fs from 'node:fs/promises';
      import { syncBuiltinESMExports } from 'node:module';
      fs.rm = () => Promise.reject(new Error('no access'));
      syncBuiltinESMExports();`;
    const options = `--import data:text/javascript,${encodeURIComponent(failing)}`;
    const server = await startServer(t, ['--memory', '--threads', '1'], {
      ...chosenFront,
      NODE_OPTIONS: options,
    });
    const closed = once(server.process, 'close');
    assert.equal(await server.end('SIGTERM'), 2);
    await closed;
    const [line] = linesOf(server);
    assert.equal(line!['msg'], 'The server did not close in order.');
    assert.match(JSON.stringify(line!['err']), /content files \(no access\)/);
  });

  it('has checkpoints, with their sizes and times, at level info', { timeout: 300_000 }, async (t) => {
    const directory = await temporaryDirectory(t);
    const server = await logging(t, 'info', ['--data', directory, '--journal-max', '4KiB']);
    const data = Array.from({ length: 500 }, (_, i) => `<urn:x:s> <urn:x:p> ${i} .`).join('\n');
    assert.equal((await rawRequest(server.url + GRAPH, 'PUT', turtle, data)).status, 201);
    const begun = await lineOf(server, 'checkpoint-begun');
    const finished = await lineOf(server, 'checkpoint-finished');
    for (const field of ['commit', 'quads', 'journalBytes', 'imageBytes', 'writeAmplification', 'duration']) {
      assert.ok(Number(finished[field]) > 0, field);
    }
    assert.deepEqual([begun['commit'], begun['quads']], [finished['commit'], finished['quads']]);
  });

  it('has terminated threads, with the name of the task, at level info', { timeout: 300_000 }, async (t) => {
    const server = await logging(t, 'info', ['--memory', '--thread-heap', '16MiB', '--max-result', '1GiB']);
    const data = Array.from({ length: 300 }, (_, i) => `<urn:x:s> <urn:x:p> "${'a'.repeat(1_000)}${i}" .`);
    assert.equal((await rawRequest(server.url + GRAPH, 'PUT', turtle, data.join('\n'))).status, 201);
    const program = `geheim = fn:replace(<urn:x:p>, "a", "${'b'.repeat(1_000)}") ;`;
    const killing = await rawRequest(`${server.url}/ldpath/program?uri=urn:x:s`, 'POST', {}, program);
    assert.equal(killing.status, 504);
    const killed = await lineOf(server, 'thread-killed');
    const { thread, reason, client } = killed;
    assert.deepEqual([thread, reason, client], ['worker-1', 'heap', '127.0.0.1']);
    assert.match(String(killed['task']), /^program \d+$/);
    assert.doesNotMatch(server.errors, /geheim/);
  });

  it('contains no passwords and no bodies, and clients cannot forge a line', {
    timeout: 300_000,
  }, async (t) => {
    const { out } = await runPathpool(['hash-password'], {}, 'g3heim\n');
    const server = await logging(t, 'debug', ['--memory', '--credential', `write anna ${out.trim()}`]);
    const basic = (login: string) => ({ Authorization: `Basic ${Buffer.from(login).toString('base64')}` });
    const secrets = [
      'g3heim',
      'wr0ng',
      't0ken',
      'b0dy',
      'uriP4ss',
      ...['anna:g3heim', 'anna:wr0ng'].map((login) => btoa(login)),
    ];
    const graph = '/context?graph=http://anna:uriP4ss@example.org/';
    const sent: (readonly [string, string, Record<string, string>, string, number])[] = [
      ['PUT', graph, { ...turtle, ...basic('anna:g3heim') }, '<urn:x:known> <urn:x:p> "b0dy" .', 201],
      ['PUT', graph, { ...turtle, ...basic('anna:g3heim') }, 'b0dy is no Turtle', 400],
      ['PUT', graph, { ...turtle, ...basic('anna:wr0ng') }, '<urn:x:b0dy> <urn:x:p> 1 .', 401],
      ['GET', graph, { Authorization: 'Bearer anna.t0ken' }, '', 401],
      ['POST', '/ldpath/program?uri=urn:x:known', basic('anna:g3heim'), 'b0dy = <urn:x:b0dy', 400],
      ['GET', '/x%0a%7B%22level%22:60%7D?a=%0d%0a{"event":"stop"}', basic('anna:g3heim'), '', 404],
      [
        'GET',
        '/x"},{"event":"stop","x":"',
        { ...basic('anna:g3heim'), 'X-Request-Id': '"},{"event":"stop"' },
        '',
        404,
      ],
    ];
    for (const [method, target, headers, body, status] of sent) {
      assert.equal(
        (await rawRequest(server.url + target, method, headers, body)).status,
        status,
        `${method} ${target}`,
      );
    }
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket
      .end(
        'GET /\u2028\u009b[2J HTTP/1.1\r\nHost: localhost\r\nUser-Agent: g3heim\r\nConnection: close\r\n\r\n',
      )
      .resume();
    await once(socket, 'close');
    await server.end('SIGTERM');
    for (const secret of secrets) assert.ok(!server.errors.includes(secret), secret);
    const lines = linesOf(server);
    const requests = lines.filter(({ event }) => event === 'request');
    assert.ok(requests.length >= sent.length);
    assert.deepEqual(
      requests.slice(0, sent.length).map(({ status }) => status),
      sent.map(([, , , , status]) => status),
    );
    assert.deepEqual(requests.map(({ user }) => user).slice(0, 4), ['anna', 'anna', undefined, undefined]);
    assert.equal(lines.filter(({ event }) => event === 'stop').length, 1);
    assert.equal(lines.filter(({ event }) => event === 'request-begun').length, requests.length);
  });

  it('names each client behind a trusted proxy, and limits count each one separately', {
    timeout: 300_000,
  }, async (t) => {
    const args = ['--memory', '--trusted-proxy', '127.0.0.0/8', '--request-rate', '1'];
    const server = await logging(t, 'info', args);
    const ask = async (client: string, nth: number) => {
      const headers = { 'X-Forwarded-For': `9.9.9.${nth}, ${client}` };
      return (await rawRequest(`${server.url}/tasks`, 'GET', headers)).status;
    };
    // At once, so that a slow machine is not below the limit.
    const busy = await Promise.all(Array.from({ length: 40 }, (_, i) => ask('198.51.100.7', i)));
    assert.ok(busy.includes(429), 'the proxy names one client, whatever the client itself writes');
    assert.equal(await ask('198.51.100.8', 1), 200);
    await lineOf(server, 'request', { client: '198.51.100.7', status: 429 });
    await lineOf(server, 'request', { client: '198.51.100.8', status: 200 });
  });

  it('has no ordinary requests at level warn', { timeout: 300_000 }, async (t) => {
    const server = await logging(t, 'warn', ['--memory']);
    assert.equal(
      (await rawRequest(server.url + GRAPH, 'PUT', turtle, '<urn:x:s> <urn:x:p> 1 .')).status,
      201,
    );
    assert.equal((await rawRequest(server.url + GRAPH, 'PUT', turtle, 'nonsense')).status, 400);
    const response = await rawRequest(server.url + GRAPH, 'GET');
    assert.equal(response.headers['x-request-id'], undefined);
    const given = await rawRequest(server.url + GRAPH, 'GET', { 'X-Request-Id': 'mine' });
    assert.equal(given.headers['x-request-id'], 'mine');
    await server.end('SIGTERM');
    assert.equal(server.errors, '');
  });

  it('delays no request when its reader stops, and counts the lines that it dropped', {
    timeout: 300_000,
  }, async (t) => {
    const server = await logging(t, 'info', ['--memory']);
    server.process.stderr!.pause();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    const target = `/none?${'x'.repeat(2_000)}`;
    const REQUESTS = 6_000;
    await Promise.all(
      Array.from(
        { length: REQUESTS },
        () =>
          new Promise<void>((resolve, reject) => {
            const sent = request(server.url + target, { agent }, (response) =>
              response.resume().once('end', resolve),
            );
            sent.once('error', reject).end();
          }),
      ),
    );
    agent.destroy();
    server.process.stderr!.resume();
    const dropped = await lineOf(server, 'log-dropped');
    await server.end('SIGTERM');
    const lines = linesOf(server);
    const droppedLines = lines
      .filter(({ event }) => event === 'log-dropped')
      .reduce((sum, line) => sum + Number(line['lines']), 0);
    const requests = lines.filter(({ event }) => event === 'request').length;
    assert.ok(Number(dropped['lines']) > 0);
    assert.equal(requests + droppedLines, REQUESTS);
  });
});
