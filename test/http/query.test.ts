import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseForm, parseQuery, type Query } from '../../src/http/query.ts';

function parse(raw: string): Query {
  const query = parseQuery(raw);
  assert.ok(query.ok);
  return query.value;
}

test('G-5, G-11: percent-escapes are decoded exactly once, as UTF-8', () => {
  const query = parse('uri=http%3A%2F%2Fa%2Fb%2520c&label=%C3%A9%E2%82%AC');
  assert.equal(query.get('uri'), 'http://a/b%20c');
  assert.equal(query.get('label'), 'é€');
});

test('escapes that are incomplete or not UTF-8 are rejected at any place', () => {
  for (const raw of [
    'a=%',
    'a=%2',
    'a=%zz',
    'a=%C3',
    'a=%FF',
    'a=%ED%A0%80',
    '%zz=a',
    'x=1&y=%',
    'a=\uFFFD',
  ]) {
    const query = parseQuery(raw);
    assert.equal(query.ok, false, raw);
    assert.equal(!query.ok && query.error.code, 'bad-query');
  }
});

test('G-12: plus is a plus in IRIs and media types, and a space elsewhere', () => {
  for (const name of ['uri', 'graph', 'genid', 'context', 'context[]', 'ctx', 'ctx[]', 'format', 'ns_x']) {
    assert.equal(parse(`${name}=a+b%2Bc`).get(name), 'a+b+c', name);
  }
  for (const name of ['path', 'program', 'prefix', 'mode']) {
    assert.equal(parse(`${name}=a+b%2Bc`).get(name), 'a b+c', name);
  }
});

test('the first occurrence of a parameter counts', () => {
  assert.equal(parse('uri=a&uri=b').get('uri'), 'a');
});

test('a blank parameter counts as missing, a flag is set with or without a value', () => {
  const query = parse('graph=&path=+&labels&filter=&default=no');
  assert.equal(query.get('graph'), undefined);
  assert.equal(query.get('path'), undefined);
  assert.equal(query.get('nothing'), undefined);
  for (const flag of ['labels', 'filter', 'default']) assert.ok(query.has(flag), flag);
  assert.equal(query.has('other'), false);
});

test('repeatable parameters are collected in the given order', () => {
  const query = parse('context=a&x=1&context%5B%5D=b&context[]=c&context=&context=d');
  assert.deepEqual(query.all('context', 'context[]'), ['a', 'b', 'c', 'd']);
});

test('a value may contain equals signs, and a pair may have none', () => {
  const query = parse('path=a=b==&flag&&=x');
  assert.equal(query.get('path'), 'a=b==');
  assert.ok(query.has('flag'));
});

test('namespaces are collected from parameters, even from names like __proto__', () => {
  assert.equal(parse('uri=a').namespaces(), undefined);
  const namespaces = parse('ns_ex=http%3A%2F%2Fe%2F%23&ns_ex=other&ns___proto__=http://p/')!.namespaces()!;
  assert.equal(namespaces['ex'], 'http://e/#');
  assert.equal(Object.entries(namespaces).length, 2);
  assert.equal(parse('ns_ex=&ns_y=%20').namespaces(), undefined, 'blank ones are missing (G-14)');
  assert.equal(({} as Record<string, unknown>)['p'], undefined);
});

test('G-14: a namespace that is blank counts as missing, and the first of a prefix counts', () => {
  assert.equal(parse('uri=a&ns_ex=&ns_ex=urn:late:').namespaces(), undefined);
  assert.deepEqual({ ...parse('ns_a=%20&ns_b=urn:b:').namespaces() }, { b: 'urn:b:' });
});

test('parameters of any form are scanned once', (context) => {
  const { indexOf } = String.prototype;
  let passed = 0;
  context.mock.method(String.prototype, 'indexOf', function (this: string, part: string, from = 0) {
    const index = indexOf.call(this, part, from);
    passed += (index === -1 ? this.length : index) - from;
    return index;
  });
  for (const raw of ['&'.repeat(900), 'a&'.repeat(900), 'a=b&'.repeat(900), `${'&'.repeat(900)}=`]) {
    passed = 0;
    parse(raw);
    assert.ok(passed <= 2 * raw.length, `${passed} characters of ${raw.length}`);
  }
});

test('a request has a thousand parameters at most', () => {
  assert.equal(parse('a=b&'.repeat(999)).values('a').length, 999);
  for (const parseAny of [parseQuery, parseForm]) {
    const query = parseAny('&'.repeat(1_000_000));
    assert.equal(!query.ok && query.error.code, 'bad-query');
    assert.match(query.ok ? '' : query.error.message, /1000 parameters/);
  }
});

test('a form may contain a replacement character', () => {
  const form = parseForm('query=%EF%BF%BD\uFFFD');
  assert.equal(form.ok && form.value.get('query'), '\uFFFD\uFFFD');
});
