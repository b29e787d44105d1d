import assert from 'node:assert/strict';
import { test } from 'node:test';
import { preconditionHolds } from '../../../src/base/precondition.ts';
import { decideRead, graphPrecondition } from '../../../src/http/headers/conditional.ts';
import { formatEntityTag, parseTagList, stateOf } from '../../../src/http/headers/entity-tag.ts';
import { formatHttpDate } from '../../../src/http/headers/http-date.ts';
import { lastModified } from '../../../src/http/headers/last-modified.ts';
import { fakeRequest } from '../fake-request.ts';

const modified = Date.UTC(2026, 0, 1, 12, 0, 0) + 500;
const current = { state: 's7', modified };
const tag = formatEntityTag('s7', 'turtle');
/** Relative to the date that clients are told. */
const date = (offsetSeconds: number) => formatHttpDate(lastModified(modified) + offsetSeconds * 1000);

const read = (headers: Record<string, string>) =>
  decideRead(fakeRequest('GET', '/', { headers }), tag, current);
const write = (headers: Record<string, string>) =>
  graphPrecondition(fakeRequest('PUT', '/', { headers }), 'urn:g');
const passes = (headers: Record<string, string>, target: typeof current | undefined = current) =>
  preconditionHolds(write(headers)!, target);

test('an entity tag is state and variant in quotes', () => {
  assert.equal(tag, '"s7-turtle"');
  assert.equal(stateOf({ weak: false, opaque: 's7-turtle-x' }), 's7');
  assert.equal(stateOf({ weak: false, opaque: 's7' }), 's7');
});

test('tag lists may have weak tags and commas inside tags, and malformed tags are ignored', () => {
  assert.equal(parseTagList(' * '), '*');
  assert.deepEqual(parseTagList('"a", W/"b,c" ,junk, "", unquoted'), [
    { weak: false, opaque: 'a' },
    { weak: true, opaque: 'b,c' },
    { weak: false, opaque: '' },
  ]);
});

test('If-None-Match on a read compares the full tag weakly', () => {
  assert.equal(read({ 'if-none-match': '"s7-turtle"' }), 'not-modified');
  assert.equal(read({ 'if-none-match': '"x", W/"s7-turtle"' }), 'not-modified');
  assert.equal(read({ 'if-none-match': '*' }), 'not-modified');
  assert.equal(read({ 'if-none-match': '"s7-jsonld"' }), 'send');
  assert.equal(read({ 'if-none-match': '"s6-turtle"' }), 'send');
});

test('If-Modified-Since counts on a read only without If-None-Match', () => {
  assert.equal(read({ 'if-modified-since': date(0) }), 'not-modified');
  assert.equal(read({ 'if-modified-since': date(5) }), 'not-modified');
  assert.equal(read({ 'if-modified-since': date(-1) }), 'send');
  assert.equal(read({ 'if-modified-since': 'yesterday' }), 'send');
  assert.equal(read({ 'if-modified-since': date(0), 'if-none-match': '"other"' }), 'send');
});

test('If-Match and If-Unmodified-Since count on a read too, and before If-None-Match', () => {
  assert.equal(read({ 'if-match': '"s6-turtle"', 'if-none-match': '"s7-turtle"' }), 'precondition-failed');
  assert.equal(read({ 'if-match': '"s7-jsonld"', 'if-none-match': '"s7-turtle"' }), 'not-modified');
  assert.equal(read({ 'if-unmodified-since': date(-1) }), 'precondition-failed');
});

test('G-79: a write without conditional headers has no precondition', () => {
  assert.equal(write({}), undefined);
  assert.equal(write({ 'if-modified-since': date(0) }), undefined);
  assert.equal(write({ 'if-unmodified-since': 'never' }), undefined);
});

test('If-Match on a write is met by a strong tag of the current state, whatever its variant', () => {
  assert.ok(passes({ 'if-match': '"s7-jsonld"' }));
  assert.ok(passes({ 'if-match': '"s1-nt", "s7"' }));
  assert.equal(passes({ 'if-match': 'W/"s7-turtle"' }), false);
  assert.equal(passes({ 'if-match': '"s6-turtle"' }), false);
  assert.equal(passes({ 'if-match': 'junk' }), false);
  assert.ok(passes({ 'if-match': '*' }));
  assert.equal(preconditionHolds(write({ 'if-match': '*' })!, undefined), false);
  assert.equal(preconditionHolds(write({ 'if-match': '"s7-turtle"' })!, undefined), false);
});

test('If-None-Match on a write fails on any tag of the current state, the star when the target exists', () => {
  assert.equal(passes({ 'if-none-match': '*' }), false);
  assert.ok(preconditionHolds(write({ 'if-none-match': '*' })!, undefined));
  assert.equal(passes({ 'if-none-match': 'W/"s7-nt"' }), false);
  assert.ok(passes({ 'if-none-match': '"s6-nt"' }));
});

test('G-77: If-Unmodified-Since on a write counts by the second and only without If-Match', () => {
  assert.ok(passes({ 'if-unmodified-since': date(0) }));
  assert.equal(passes({ 'if-unmodified-since': date(-1) }), false);
  assert.ok(passes({ 'if-unmodified-since': date(-1), 'if-match': '"s7-nt"' }));
  assert.ok(preconditionHolds(write({ 'if-unmodified-since': date(0) })!, undefined), 'nothing was modified');
});

test('a precondition is plain data with its graph and states', () => {
  assert.deepEqual(write({ 'if-match': '"a-x", W/"b-y"', 'if-none-match': 'W/"c-z"' }), {
    graph: 'urn:g',
    match: ['a'],
    noneMatch: ['c'],
  });
});
