import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, errorCodes, toErrorData } from '../../src/errors.ts';
import { problemResponse } from '../../src/http/problem.ts';
import { exceptionResponse } from '../../src/http/server/internal-error.ts';
import { bodyJson, bodyText, fakeRequest, headerOf } from './fake-request.ts';

const request = fakeRequest('GET', '/context?graph=x');
const parseError = toErrorData(
  new AppError('parse-error', 'Expected ; here.', { line: 3, column: 7, source: 'body' }),
);

test('a problem has all members of its kind', () => {
  const response = problemResponse(parseError, request);
  assert.equal(response.status, 400);
  assert.equal(headerOf(response, 'content-type'), 'application/problem+json');
  assert.deepEqual(bodyJson(response), {
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

test('G-25: each challenge has a line of its own', () => {
  const { headers } = problemResponse({ code: 'unauthorized', message: 'm', details: {} }, request);
  const challenges = headers.filter(([name]) => name === 'WWW-Authenticate').map(([, value]) => value);
  assert.deepEqual(challenges, ['Basic realm="pathpool", charset="UTF-8"', 'Bearer realm="pathpool"']);
});

test('every code has a status with a reason phrase', () => {
  for (const code of errorCodes) {
    const response = problemResponse({ code, message: 'm', details: {} }, request);
    const problem = bodyJson(response) as { title: string; status: number };
    assert.ok(response.status >= 400 && response.status < 600, code);
    assert.equal(problem.status, response.status);
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
    const response = problemResponse(
      parseError,
      fakeRequest('GET', '/', accept === undefined ? {} : { headers: { accept } }),
    );
    assert.equal(headerOf(response, 'content-type'), 'application/problem+json', accept);
  }
  for (const accept of ['text/turtle', 'text/html', '*/*;q=0']) {
    const error = toErrorData(new AppError('bad-iri', 'Not an\nIRI.'));
    const response = problemResponse(error, fakeRequest('GET', '/', { headers: { accept } }));
    assert.equal(headerOf(response, 'content-type'), 'text/plain; charset=utf-8', accept);
    assert.equal(bodyText(response), '400 Bad Request: Not an IRI.\n');
  }
});

test("the line of text takes time linear in the length of the client's input", () => {
  const spaces = ' '.repeat(2_000_000);
  const error = toErrorData(new AppError('bad-iri', `'${spaces}' is none, \r\n nor\n\nthis.`));
  const response = problemResponse(error, fakeRequest('GET', '/', { headers: { accept: 'text/plain' } }));
  assert.equal(bodyText(response), `400 Bad Request: '${spaces}' is none, nor this.\n`);
});

test('an internal error does not disclose details', () => {
  const error = toErrorData(new Error('/var/lib/secret at x.ts:1'));
  assert.doesNotMatch(bodyText(problemResponse(error, request)), /secret|x\.ts/);
});

test('an internal error is logged with an id, and an error of the catalogue is reported', () => {
  const logged: { faultId?: string; err?: Error }[] = [];
  const log = { error: (details: object) => logged.push(details) };
  const told = exceptionResponse(new AppError('overloaded', 'Busy.', { retryAfter: 2.2 }), request, log);
  assert.equal(told.status, 503);
  assert.equal(headerOf(told, 'retry-after'), '3');
  assert.equal(logged.length, 0);
  const internal = exceptionResponse(new Error('boom'), request, log);
  assert.equal(internal.status, 500);
  assert.equal(logged[0]!.err!.message, 'boom');
  assert.ok(bodyText(internal).includes(logged[0]!.faultId!));
});

test('415 lists the supported types and codings', () => {
  const available = ['text/turtle', 'application/n-triples'];
  const type = problemResponse(
    { code: 'unsupported-media-type', message: 'm', details: { available } },
    request,
  );
  assert.equal(headerOf(type, 'accept'), 'text/turtle, application/n-triples');
  assert.deepEqual((bodyJson(type) as { available: string[] }).available, available);
  const coding = problemResponse({ code: 'unsupported-coding', message: 'm', details: {} }, request);
  assert.equal(headerOf(coding, 'accept-encoding'), 'gzip, identity');
});

test('1.10: every 503 says in header and body when to retry', () => {
  for (const [code, details, seconds] of [
    ['cancelled', {}, 30],
    ['writes-disabled', {}, 30],
    ['unavailable', {}, 1],
    ['overloaded', { retryAfter: 2.2 }, 3],
  ] as const) {
    const response = problemResponse({ code, message: 'm', details }, request);
    assert.equal(headerOf(response, 'retry-after'), String(seconds), code);
    assert.equal((bodyJson(response) as { retryAfter: number }).retryAfter, seconds, code);
  }
});
