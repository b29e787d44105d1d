import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sparqlTokens } from '../../../src/sparql/language/tokens.ts';

const texts = (source: string) => sparqlTokens(source).map(({ text }) => text);
const kinds = (source: string) => sparqlTokens(source).map(({ kind }) => kind);

test('keywords and names are distinguished, even with dots between them', () => {
  assert.deepEqual(kinds('a.b.c'), ['word', 'symbol', 'word', 'symbol', 'word']);
  assert.deepEqual(texts('a.b.c:d.e'), ['a.b.c:d.e']);
  assert.deepEqual(texts('a.b c.d:e'), ['a', '.', 'b', 'c.d:e']);
  assert.deepEqual(texts('é.a.é:b é.a b:é.'), ['é.a.é:b', 'é', '.', 'a', 'b:é', '.']);
  assert.deepEqual(kinds('a.1 a-b a.?x'), [
    'word',
    'number',
    'word',
    'symbol',
    'word',
    'word',
    'symbol',
    'variable',
  ]);
});

test('< after an operand in an expression is an operator and not the start of an IRI', () => {
  for (const text of [
    "SELECT (?s<'x>' AS ?b) FROM <g> {}",
    "SELECT ?a (1+?s<'x>' AS ?b) {}",
    "SELECT * { FILTER(?s<'x>') }",
    "SELECT * { FILTER <urn:f>(1<'x>') }",
    "SELECT * { FILTER e:f(true<'x>') }",
    "SELECT * { FILTER(EXISTS{ ?s <p> ?o }<'x>') }",
    "SELECT * { { SELECT ?s { ?s <p> (1) } ORDER BY ('a'@en<'x>') } }",
    "SELECT * { BIND(IF((?a)<'x>', 1, 2) AS ?b) }",
    "SELECT * {} HAVING (SUM(?a)<'x>')",
  ]) {
    assert.ok(texts(text).includes("'x>'"), text);
  }
  assert.deepEqual(texts('(?a<?b#>\n)'), ['(', '?a', '<', '?b', ')']);
});

test('IRIs may contain quotes, and may follow any token in a pattern', () => {
  const iri = "<http://e/Rubik's(#x)?&a>";
  for (const text of [
    `SELECT * { ?s${iri}?o }`,
    `SELECT * { (1 ?a ${iri}) <p> ((?b ${iri}) 2) }`,
    `SELECT * { ?s a (?b ${iri}) ; (<p>|${iri}) 1 FILTER(?b) ${iri} <p> 'a' }`,
    `SELECT * { VALUES (?a ?b) { ("x" ${iri}) } }`,
    `SELECT * {} ORDER BY ?a ${iri}(?b)`,
    `SELECT * { FILTER(?a = ${iri} && ?b IN (1, ${iri}) || ?c = "1"^^${iri}) }`,
    `SELECT * { FILTER EXISTS { ?a ${iri} 1 } BIND(<<(?a ${iri} 1)>> AS ?c) }`,
    `DESCRIBE ?a ${iri}`,
  ]) {
    assert.ok(texts(text).includes(iri), text);
  }
});

test('each character is read at most a few times, for any text', (context) => {
  const { exec } = RegExp.prototype;
  let looked = 0;
  context.mock.method(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
    const start = this.lastIndex;
    const found = exec.call(this, text);
    // A failed match may have read all characters of a name; no name begins with a dot.
    const rest = /(?!\.)[\p{L}\p{N}_.·-]*/uy;
    rest.lastIndex = start;
    looked += found?.[0].length ?? exec.call(rest, text)?.[0].length ?? 0;
    return found;
  });
  for (const piece of ['a.', 'é.', 'a.1', 'a-', 'a:', 'a:b.', '_:a.', '.', ':.', '?a.', '1.']) {
    const source = piece.repeat(2000);
    looked = 0;
    const tokens = sparqlTokens(source);
    assert.equal(tokens.map(({ text }) => text).join(''), source);
    assert.ok(looked <= 6 * source.length, `${piece}: ${looked / source.length} times`);
  }
});

test('white space and comments may be megabytes long', () => {
  for (const between of [' '.repeat(8_000_000), '#\n'.repeat(2_000_000), `#${'x'.repeat(8_000_000)}\n`]) {
    const tokens = sparqlTokens(`a${between}b`);
    assert.deepEqual(
      tokens.map(({ text }) => text),
      ['a', 'b'],
    );
  }
});

test('tokens are the text without white space and comments', () => {
  const source = `PREFIX e: <x:y> # no\nINSERT { ?a e:b.c 1.5e3, .5, "a\\"#b"@en-us, '''x'y''' ; _:b1. } WHERE { ?a<?b }`;
  assert.deepEqual(texts(source), [
    'PREFIX',
    'e:',
    '<x:y>',
    'INSERT',
    '{',
    '?a',
    'e:b.c',
    '1.5e3',
    ',',
    '.5',
    ',',
    '"a\\"#b"',
    '@en-us',
    ',',
    "'''x'y'''",
    ';',
    '_:b1',
    '.',
    '}',
    'WHERE',
    '{',
    '?a',
    '<',
    '?b',
    '}',
  ]);
});
