import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { requestFields, responseFields } from '../../../src/http/forwarding/passed-fields.ts';

describe('the fields of a request that another process receives', () => {
  it('are all but those of the connection, and those that only processes send', () => {
    const given = [
      ...['host', 'data.example', 'connection', 'keep-alive, X-Mine, Host', 'keep-alive', '5'],
      ...['x-mine', '1', 'te', 'trailers', 'upgrade', 'h2c', 'expect', '100-continue'],
      ...['content-length', '3', 'accept', 'a/b', 'link', '<a>', 'link', '<b>'],
      ...['pathpool-peer', 'guessed', 'pathpool-client', '192.0.2.1', 'x-request-id', 'mine'],
    ];
    assert.deepEqual(requestFields(given, ['pathpool-peer', 'secret', 'content-length', '2']), [
      ...['host', 'data.example', 'accept', 'a/b', 'link', '<a>', 'link', '<b>'],
      ...['pathpool-peer', 'secret', 'content-length', '2'],
    ]);
  });

  it('are sent byte by byte', () => {
    assert.deepEqual(requestFields(['slug', 'Zürich'], []), ['slug', 'ZÃ¼rich']);
  });
});

describe('the fields of a response that the client receives', () => {
  it('are all but those of the connection, and those that each process adds by itself', () => {
    const given = [
      ...['Content-Type', 'a/b', 'Content-Length', '3', 'Date', 'now', 'Connection', 'keep-alive'],
      ...['X-Content-Type-Options', 'nosniff', 'Access-Control-Allow-Origin', 'http://a.example'],
      ...[
        'Vary',
        'Accept, Origin',
        'ETag',
        '"a"',
        'Location',
        'http://a.example/ZÃ¼rich',
        'X-Request-Id',
        'x',
      ],
    ];
    assert.deepEqual(responseFields(given, true), [
      ['Content-Type', 'a/b'],
      ['Vary', 'Accept'],
      ['ETag', '"a"'],
      ['Location', 'http://a.example/Zürich'],
    ]);
    assert.deepEqual(responseFields(['Vary', 'Origin', 'X-Request-Id', 'x'], false), [['X-Request-Id', 'x']]);
  });
});
