import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Answer, AnswerReader } from '../../../bench/load/answer-reader.ts';

const answers = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\nContent-Length: 9\r\n\r\n',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n0123456789\r\n0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length:0\r\n\r\n',
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\nX-Trailer: y\r\n\r\n',
  'HTTP/1.1 204 No Content\r\n\r\n',
];
const expected = [
  { status: 200, bytes: 5, body: 'hello' },
  { status: 304, bytes: 0, body: '' },
  { status: 200, bytes: 13, body: 'abc0123456789' },
  { status: 201, bytes: 0, body: '' },
  { status: 200, bytes: 0, body: '' },
  { status: 204, bytes: 0, body: '' },
];

test('responses are the same, wherever their bytes are split', () => {
  const bytes = Buffer.from(answers.join(''));
  const cuts = fc.array(fc.nat(bytes.length), { maxLength: 20 });
  fc.assert(
    fc.property(cuts, (places) => {
      const found: Answer[] = [];
      const reader = new AnswerReader((answer) => found.push(answer));
      reader.keepBody = true;
      const borders = [0, ...places.sort((a, b) => a - b), bytes.length];
      borders.slice(1).forEach((end, i) => {
        // Received bytes are overwritten afterwards, as by a socket that reuses its buffer.
        const piece = Buffer.from(bytes.subarray(borders[i], end));
        if (piece.length > 0) reader.push(piece);
        piece.fill(0);
      });
      assert.deepEqual(
        found.map(({ status, bytes, body }) => ({ status, bytes, body: body?.toString() })),
        expected,
      );
    }),
  );
});

test('bytes that are not a response are rejected', () => {
  const reader = new AnswerReader(() => {});
  assert.throws(() => reader.push(Buffer.from('SSH-2.0-x\r\n\r\n')), /no answer of HTTP/);
});
