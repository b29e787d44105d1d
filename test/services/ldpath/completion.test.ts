import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CompletionService } from '../../../src/services/ldpath/completion.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const namespaces = {
  foaf: 'http://xmlns.com/foaf/0.1/',
  friend: 'http://example.org/friend/',
  xsd: XSD,
  empty: 'urn:empty:',
};
const iris = [
  'http://example.org/friend/',
  'http://example.org/friend/anna',
  'http://example.org/friend/x/y',
  'http://xmlns.com/foaf/0.1/',
  'http://xmlns.com/foaf/0.1/knows',
  'http://xmlns.com/foaf/0.1/name',
];

const service = new CompletionService(
  { find: (text, limit) => Promise.resolve(iris.filter((iri) => iri.startsWith(text)).slice(0, limit)) },
  {
    functions: () => {
      const names = ['concat', 'contains', 'count'];
      return Promise.resolve(names.map((name) => ({ name, signature: '', description: '' })));
    },
    types: () => Promise.resolve([`${XSD}string`, `${XSD}int`, `${XSD}integer`]),
  },
);

function complete(given: { uri?: string; prefix?: string; mode?: 'path' | 'transformer' }) {
  const { uri, prefix, mode = 'path' } = given;
  return service.complete({ uri, prefix, mode, namespaces, visible: undefined });
}

test('URIs are completed with their prefix if they are in its namespace, and otherwise in full', async () => {
  assert.deepEqual(await complete({ uri: 'http://example.org/f' }), [
    'http://example.org/friend/',
    'friend:anna',
    'http://example.org/friend/x/y',
  ]);
  assert.deepEqual(await complete({ uri: 'nothing' }), []);
});

test('the parameter uri overrides prefix', async () => {
  assert.deepEqual(await complete({ uri: 'http://xmlns.com/foaf/0.1/k', prefix: 'fn:co' }), ['foaf:knows']);
});

test('completion offers names of a known prefix, without the bare namespace', async () => {
  assert.deepEqual(await complete({ prefix: 'foaf:' }), ['foaf:knows', 'foaf:name']);
  assert.deepEqual(await complete({ prefix: 'foaf:n' }), ['foaf:name']);
  assert.deepEqual(await complete({ prefix: 'unknown:n' }), []);
  assert.deepEqual(await complete({ prefix: 'constructor:' }), []);
});

test('completion offers result types after URIs in mode path, and only types in mode transformer', async () => {
  assert.deepEqual(await complete({ prefix: 'xsd:int' }), ['xsd:int', 'xsd:integer']);
  assert.deepEqual(await complete({ prefix: 'xsd:s', mode: 'transformer' }), ['xsd:string']);
  assert.deepEqual(await complete({ uri: 'http://', mode: 'transformer' }), [
    'xsd:int',
    'xsd:integer',
    'xsd:string',
  ]);
  assert.deepEqual(await complete({ uri: 'http://xmlns.com/', mode: 'transformer' }), []);
});

test('completion offers functions as calls', async () => {
  assert.deepEqual(await complete({ prefix: 'fn:con' }), ['fn:concat()', 'fn:contains()']);
});

test('completion offers prefixes by their first letters', async () => {
  assert.deepEqual(await complete({ prefix: 'f' }), ['fn', 'foaf', 'friend']);
  assert.deepEqual(await complete({ prefix: 'x', mode: 'transformer' }), ['xsd']);
  assert.deepEqual(await complete({ prefix: 'f', mode: 'transformer' }), []);
  assert.deepEqual(await complete({}), []);
});
