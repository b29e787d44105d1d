import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, formatter, type LoadRequest, NUMBER } from '../../../bench/load/request.ts';

test('a request is written with the length of its body in bytes, and a number in its place', () => {
  const request: LoadRequest = {
    method: 'POST',
    path: `/ldp/${NUMBER}`,
    headers: { Slug: `n${NUMBER}` },
    body: `ä${NUMBER}`,
    expect: { status: 201 },
  };
  const text = formatter(request, 'h:1')(42).toString();
  assert.equal(text, 'POST /ldp/42 HTTP/1.1\r\nHost: h:1\r\nSlug: n42\r\nContent-Length: 4\r\n\r\nä42');
});

test('wrong responses are named', () => {
  const answer = { status: 200, bytes: 5, body: Buffer.from('hello') };
  assert.equal(fault({ status: 200, bytes: 5, contains: 'ell' }, answer), undefined);
  assert.equal(fault({ status: [201, 200] }, answer), undefined);
  assert.equal(fault({ status: 303 }, answer), 'status 200 in place of 303');
  assert.equal(fault({ status: 200, bytes: 6 }, answer), '5 bytes in place of 6');
  assert.equal(fault({ status: 200, contains: 'x' }, answer), 'a body without "x"');
});
