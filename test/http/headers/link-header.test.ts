import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkTargets, parseLinks } from '../../../src/http/headers/link-header.ts';

test('links are read with their relations, quoted or not', () => {
  assert.deepEqual(parseLinks('<http://a/>; rel="type"'), [
    { target: 'http://a/', rels: ['type'], anchor: undefined },
  ]);
  assert.deepEqual(parseLinks('<a>;rel=type;title="x, \\"y\\"; z"; anchor="#b", <c> ; REL = "Next  type"'), [
    { target: 'a', rels: ['type'], anchor: '#b' },
    { target: 'c', rels: ['next', 'type'], anchor: undefined },
  ]);
  assert.deepEqual(parseLinks('<a>, <b>;;rel=x;flag,,<c>'), [
    { target: 'a', rels: [], anchor: undefined },
    { target: 'b', rels: ['x'], anchor: undefined },
    { target: 'c', rels: [], anchor: undefined },
  ]);
});

test('a comma or semicolon within a target or a quoted value does not end it', () => {
  assert.deepEqual(
    parseLinks('<http://a/?x=1,2;3>; title="<no>, rel=no"; rel=yes, <b>; rel=yes').map(
      ({ target }) => target,
    ),
    ['http://a/?x=1,2;3', 'b'],
  );
});

test('the first of repeated parameters counts, and a malformed link ends the list', () => {
  assert.deepEqual(parseLinks('<a>; rel=one; rel=two')[0]?.rels, ['one']);
  assert.deepEqual(parseLinks('nonsense'), []);
  assert.deepEqual(
    parseLinks('<a>; rel=x nonsense, <b>; rel=x').map(({ target }) => target),
    ['a'],
  );
});

test('5.8, L-54: only links of relation "type" from the resource itself are types', () => {
  const header = '<a>; rel="type", <b>; rel="up type", <c>; rel=up, <d>; rel=type; anchor="#x"';
  assert.deepEqual(linkTargets(header, 'type'), ['a', 'b']);
  assert.deepEqual(linkTargets(undefined, 'type'), []);
});

test('a long malformed header is read in linear time', () => {
  const header = `<a>; ${'x=" '.repeat(10_000)}`;
  assert.equal(parseLinks(header)[0]?.target, 'a');
  assert.equal(parseLinks('<a>;, '.repeat(10_000)).length, 10_000);
  assert.equal(parseLinks(`<a>${' ;'.repeat(20_000)}`).length, 1);
});
