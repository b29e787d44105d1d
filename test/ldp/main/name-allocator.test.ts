import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NameAllocator } from '../../../src/ldp/main/name-allocator.ts';
import type { NameForm } from '../../../src/ldp/main/slug.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';

const form: NameForm = { stem: 'a', extension: '' };
const everybody = { access: undefined };
const uuid = /^urn:c\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test('L-30: without a slug names are random', () => {
  const names = new NameAllocator(() => false);
  const first = names.reserve('urn:c', undefined, everybody);
  assert.match(first, uuid);
  assert.notEqual(names.reserve('urn:c', undefined, everybody), first);
});

test('L-31: names that are taken, or allocated to an unfinished request, are skipped', () => {
  const taken = new Set(['urn:c/a']);
  const names = new NameAllocator((uri) => taken.has(uri));
  assert.equal(names.reserve('urn:c', form, everybody), 'urn:c/a-1');
  assert.equal(names.reserve('urn:c', form, everybody), 'urn:c/a-2');
  assert.equal(names.reserve('urn:d', form, everybody), 'urn:d/a');
  names.release('urn:c/a-1');
  assert.equal(names.reserve('urn:c', form, everybody), 'urn:c/a-1');
});

test('finding the 100,001st name of a kind asks a few dozen questions', () => {
  let questions = 0;
  const names = new NameAllocator((uri) => {
    questions++;
    return Number(uri.split('-')[1] ?? 0) <= 100_000;
  });
  assert.equal(names.reserve('urn:c', form, everybody), 'urn:c/a-100001');
  assert.ok(questions < 50, `${questions} questions`);
});

test('G-161: names that a client may not write do not decide on the name that it gets', () => {
  const asked: string[] = [];
  const names = new NameAllocator((uri) => {
    asked.push(uri);
    return true;
  });
  const write = iriPatterns(['urn:c/a', 'urn:c/b*']);
  const client = { access: { read: write, write } };
  assert.equal(names.reserve('urn:c', form, client), 'urn:c/a-1');
  assert.equal(names.reserve('urn:c', { ...form, stem: 'x' }, client), 'urn:c/x');
  assert.deepEqual(asked, ['urn:c/a']);
});
