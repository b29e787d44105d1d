import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { withCompression } from '../../../src/http/middleware/compression.ts';
import type { Header } from '../../../src/http/server/header.ts';
import { HeaderLines } from '../../../src/http/server/header-lines.ts';
import type { HttpResponse } from '../../../src/http/server/message.ts';
import { fakeRequest, headerOf } from '../fake-request.ts';

const long = 'Some text that is repeated. '.repeat(100);
const turtle: readonly Header[] = [
  ['Content-Type', 'text/turtle; charset=utf-8'],
  ['ETag', '"abc-turtle"'],
  ['Vary', 'Accept'],
];
const gzip = { 'accept-encoding': 'gzip' };

async function send(response: HttpResponse, headers: Record<string, string> = gzip, method = 'GET') {
  return await withCompression(() => response)(fakeRequest(method, '/x', { headers }));
}

/** Chunks in one buffer, as the source of a stream may give them; notes how the stream ended. */
function stream(chunks: readonly string[], onEnd: () => void): AsyncIterable<Uint8Array> {
  const buffer = Buffer.alloc(100);
  let at = 0;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        buffer.fill(0);
        if (at === chunks.length) return Promise.resolve({ done: true, value: undefined });
        const length = buffer.write(chunks[at++]!);
        return Promise.resolve({ done: false, value: buffer.subarray(0, length) });
      },
      return: () => {
        onEnd();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}

test('G-63: a long text is compressed, and has another entity tag', async () => {
  for (const body of [long, Buffer.from(long)]) {
    const response = await send({ status: 200, headers: turtle, body });
    assert.equal(headerOf(response, 'content-encoding'), 'gzip');
    assert.equal(headerOf(response, 'etag'), '"abc-turtle.gz"');
    assert.equal(headerOf(response, 'vary'), 'Accept, Accept-Encoding');
    assert.equal(gunzipSync(response.body as Uint8Array).toString(), long);
  }
});

test('G-63: Vary names Accept-Encoding once', async () => {
  const headers = turtle.map(([name, value]) =>
    name === 'Vary' ? ([name, `${value}, accept-encoding`] as const) : ([name, value] as const),
  );
  const plain = await send({ status: 200, headers, body: long }, {});
  assert.equal(headerOf(plain, 'vary'), 'Accept, accept-encoding');
  assert.equal(headerOf(await send({ status: 304, headers }), 'vary'), 'Accept, accept-encoding');
});

test('G-63: preformatted headers are recognised', async () => {
  const response = await send({ status: 200, headers: [], lines: new HeaderLines(turtle), body: long });
  assert.equal(headerOf(response, 'etag'), '"abc-turtle.gz"');
  assert.equal(headerOf(response, 'content-type'), 'text/turtle; charset=utf-8');
});

test('G-63: a client without gzip gets plain text with Vary', async () => {
  const response = await send({ status: 200, headers: [], lines: new HeaderLines(turtle), body: long }, {});
  assert.equal(response.body, long);
  assert.equal(headerOf(response, 'etag'), '"abc-turtle"');
  assert.equal(headerOf(response, 'vary'), 'Accept, Accept-Encoding');
  assert.equal(headerOf(response, 'content-encoding'), undefined);
});

test('G-63: short, binary and client-supplied content is not compressed', async () => {
  const left: HttpResponse[] = [
    { status: 200, headers: turtle, body: 'x'.repeat(1024) },
    { status: 200, headers: [['Content-Type', 'image/png']], body: long },
    {
      status: 200,
      headers: [
        ['Content-Type', 'text/plain'],
        ['Accept-Ranges', 'bytes'],
      ],
      body: long,
    },
    { status: 204, headers: [] },
    { status: 303, headers: [['Location', '/y']] },
  ];
  for (const response of left) assert.equal(await send(response), response);
  for (const type of ['application/ld+json', 'application/rdf+xml', 'application/n-quads', 'image/svg+xml']) {
    const response = await send({ status: 200, headers: [['Content-Type', type]], body: long });
    assert.equal(headerOf(response, 'content-encoding'), 'gzip', type);
  }
});

test('G-63, G-74: a 304 has the entity tag of the request', async () => {
  const response: HttpResponse = {
    status: 304,
    headers: [
      ['ETag', '"abc-turtle"'],
      ['Vary', 'Accept'],
    ],
  };
  for (const tag of ['"abc-turtle"', '"abc-turtle.gz"']) {
    const sent = await send(response, { ...gzip, 'if-none-match': tag });
    assert.deepEqual([headerOf(sent, 'etag'), headerOf(sent, 'vary')], [tag, 'Accept, Accept-Encoding']);
  }
});

test('a stream is compressed chunk by chunk although its buffer is reused', async () => {
  const lines = Array.from({ length: 500 }, (_, i) => `line ${i}\n`);
  const response = await send({ status: 200, headers: turtle, body: stream(lines, () => {}), length: 5 });
  assert.equal(response.length, undefined);
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) chunks.push(Buffer.from(chunk));
  assert.equal(gunzipSync(Buffer.concat(chunks)).toString(), lines.join(''));
});

test('an unused or abandoned stream is cancelled', async () => {
  for (const taken of [0, 1]) {
    const ended = new Promise<void>((resolve) => {
      const body = stream(
        Array.from({ length: 500 }, () => 'x'),
        resolve,
      );
      void send({ status: 200, headers: turtle, body }).then(async (response) => {
        const iterator = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
        for (let i = 0; i < taken; i++) await iterator.next();
        await iterator.return?.();
      });
    });
    await ended;
  }
});

test('a stream that fails also fails when compressed', async () => {
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('boom')) }),
  };
  const response = await send({ status: 200, headers: turtle, body });
  await assert.rejects(async () => {
    for await (const _ of response.body as AsyncIterable<Uint8Array>);
  }, /boom/);
});

test('G-20: HEAD has the headers that GET has', async () => {
  const whole = await send({ status: 200, headers: turtle, body: long }, gzip, 'HEAD');
  const absent = await send({ status: 200, headers: turtle }, gzip, 'HEAD');
  const streamed = await send({ status: 200, headers: turtle, body: stream([long], () => {}) }, gzip, 'HEAD');
  const get = await send({ status: 200, headers: turtle, body: long });
  for (const head of [whole, absent, streamed]) assert.deepEqual(head.headers, get.headers);
  assert.deepEqual(whole.body, get.body);
});
