import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, errorCodes, toErrorData } from '../../src/errors.ts';
import { problemReply } from '../../src/http/problem.ts';
import { faultReply } from '../../src/http/server/fault.ts';
import { bodyJson, bodyText, fakeRequest, headerOf } from './fake-request.ts';

const request = fakeRequest('GET', '/context?graph=x');
const parseError = toErrorData(
  new AppError('parse-error', 'Expected ; here.', { line: 3, column: 7, source: 'body' }),
);

test('a problem has all members of its kind', () => {
  const reply = problemReply(parseError, request);
  assert.equal(reply.status, 400);
  assert.equal(headerOf(reply, 'content-type'), 'application/problem+json');
  assert.deepEqual(bodyJson(reply), {
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'Expected ; here.',
    instance: '/context?graph=x',
    code: 'parse-error',
    line: 3,
    column: 7,
    source: 'body',
  });
});

test('every code has a status with a reason phrase', () => {
  for (const code of errorCodes) {
    const reply = problemReply({ code, message: 'm', details: {} }, request);
    const problem = bodyJson(reply) as { title: string; status: number };
    assert.ok(reply.status >= 400 && reply.status < 600, code);
    assert.equal(problem.status, reply.status);
    assert.ok(problem.title.length > 3, code);
  }
});

test('Accept chooses the form: JSON, or one line of text for a client that excludes JSON', () => {
  const json = [
    undefined,
    '*/*',
    'application/json',
    'text/turtle, application/problem+json;q=0.1',
    'application/*',
    '',
  ];
  for (const accept of json) {
    const reply = problemReply(
      parseError,
      fakeRequest('GET', '/', accept === undefined ? {} : { headers: { accept } }),
    );
    assert.equal(headerOf(reply, 'content-type'), 'application/problem+json', accept);
  }
  for (const accept of ['text/turtle', 'text/html', '*/*;q=0']) {
    const error = toErrorData(new AppError('bad-iri', 'Not an\nIRI.'));
    const reply = problemReply(error, fakeRequest('GET', '/', { headers: { accept } }));
    assert.equal(headerOf(reply, 'content-type'), 'text/plain; charset=utf-8', accept);
    assert.equal(bodyText(reply), '400 Bad Request: Not an IRI.\n');
  }
});

test("the line of text takes time linear in the length of the client's input", () => {
  const spaces = ' '.repeat(2_000_000);
  const error = toErrorData(new AppError('bad-iri', `'${spaces}' is none, \r\n nor\n\nthis.`));
  const reply = problemReply(error, fakeRequest('GET', '/', { headers: { accept: 'text/plain' } }));
  assert.equal(bodyText(reply), `400 Bad Request: '${spaces}' is none, nor this.\n`);
});

test('an internal error does not disclose details', () => {
  const error = toErrorData(new Error('/var/lib/secret at x.ts:1'));
  assert.doesNotMatch(bodyText(problemReply(error, request)), /secret|x\.ts/);
});

test('an internal error is logged with an id, and an error of the catalogue is reported', () => {
  const logged: { faultId?: string; err?: Error }[] = [];
  const log = { error: (details: object) => logged.push(details) };
  const told = faultReply(new AppError('overloaded', 'Busy.', { retryAfter: 2.2 }), request, log);
  assert.equal(told.status, 503);
  assert.equal(headerOf(told, 'retry-after'), '3');
  assert.equal(logged.length, 0);
  const fault = faultReply(new Error('boom'), request, log);
  assert.equal(fault.status, 500);
  assert.equal(logged[0]!.err!.message, 'boom');
  assert.ok(bodyText(fault).includes(logged[0]!.faultId!));
});

test('415 lists the supported types and codings', () => {
  const available = ['text/turtle', 'application/n-triples'];
  const type = problemReply(
    { code: 'unsupported-media-type', message: 'm', details: { available } },
    request,
  );
  assert.equal(headerOf(type, 'accept'), 'text/turtle, application/n-triples');
  assert.deepEqual((bodyJson(type) as { available: string[] }).available, available);
  const coding = problemReply({ code: 'unsupported-coding', message: 'm', details: {} }, request);
  assert.equal(headerOf(coding, 'accept-encoding'), 'gzip, identity');
});

test('1.10: every 503 says in header and body when to retry', () => {
  for (const [code, details, seconds] of [
    ['cancelled', {}, 30],
    ['writes-disabled', {}, 30],
    ['overloaded', { retryAfter: 2.2 }, 3],
  ] as const) {
    const reply = problemReply({ code, message: 'm', details }, request);
    assert.equal(headerOf(reply, 'retry-after'), String(seconds), code);
    assert.equal((bodyJson(reply) as { retryAfter: number }).retryAfter, seconds, code);
  }
});
