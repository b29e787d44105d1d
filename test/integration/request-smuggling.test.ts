import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RawClient } from '../http/raw-client.ts';
import { sharedServer } from '../support/shared-server.ts';

const GRAPH = '/context/kept';
const REMOVAL = `DELETE ${GRAPH} HTTP/1.1\r\nHost: x\r\n\r\n`;

/**
 * Header fields that make the end of the body ambiguous, and the body as uWebSockets.js reads it.
 */
const framings: readonly [fields: string, body: string][] = [
  [`Content-Length: 0\r\nContent-Length: ${REMOVAL.length}`, ''],
  ['Content-Length: 3\r\nContent-Length: 3', 'abc'],
  ['Content-Length: 3\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['Content-Length: 16, 16', ''],
  ['Content-Length: +16', ''],
  ['Content-Length: -1', ''],
  ['Content-Length: 0x10', ''],
  ['Content-Length: 1e1', ''],
  ['Content-Length: 18446744073709551616', ''],
  ['Transfer-Encoding: identity', '0\r\n\r\n'],
  ['Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
  ['Transfer-Encoding: xchunked', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked, identity', '0\r\n\r\n'],
  ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'],
  ['Transfer-Encoding: \r\nContent-Length: 3', 'abc'],
];

describe('a request with an ambiguous body length', () => {
  const server = sharedServer(['--memory', '--threads', '1']);

  it('is rejected with 400 and closes the connection, without executing a request in its body', async () => {
    const { url } = server;
    const init = {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: '<urn:x:s> <urn:x:p> 1 .',
    };
    assert.equal((await fetch(url + GRAPH, init)).status, 201);
    for (const line of [
      'POST /ldp',
      'PUT /context/other',
      'GET /resource?uri=urn:x:s',
      'GET /tasks',
      'DELETE /x',
    ]) {
      for (const [fields, body] of framings) {
        const client = new RawClient(Number(new URL(url).port));
        client.write(`${line} HTTP/1.1\r\nHost: x\r\n${fields}\r\n\r\n${body}${REMOVAL}`);
        const received = await client.untilClosed();
        assert.match(received, /^HTTP\/1\.1 400 /, `${line}, ${fields}`);
        assert.equal(received.match(/HTTP\/1\.1/g)?.length, 1, `${line}, ${fields}`);
      }
    }
    assert.equal((await fetch(url + GRAPH)).status, 200);
  });
});
