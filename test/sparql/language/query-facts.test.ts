import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type QueryFacts, queryFacts, queryForm } from '../../../src/sparql/language/query-facts.ts';

function facts(text: string): QueryFacts {
  const result = queryFacts(text);
  assert.ok(result.ok, text);
  return result.value;
}

test('the form is the first word after the declarations', () => {
  const declared = 'BASE <http://e/> PREFIX select: <http://ask/> # CONSTRUCT\nVERSION "1.2" ';
  for (const [text, form] of [
    ['SELECT * {}', 'select'],
    ['ask {}', 'ask'],
    ['Construct {} WHERE {}', 'construct'],
    ['DESCRIBE <http://e/>', 'describe'],
    ['INSERT DATA {}', 'update'],
    ['delete where {}', 'update'],
    ['WITH <g> DELETE {} WHERE {}', 'update'],
    ['DROP ALL', 'update'],
  ] as const) {
    assert.equal(facts(text).form, form);
    assert.equal(facts(declared + text).form, form);
  }
});

test('a text that is neither a query nor an update is rejected with a position', () => {
  const result = queryFacts('PREFIX e: <http://e/>\n  SELCT * {}');
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'parse-error');
  assert.deepEqual(result.error.details, { line: 2, column: 3 });
  const escaped = queryFacts('PREFIX \\u0065: <urn:\\U0001F600> SELCT \\u0041');
  assert.deepEqual(!escaped.ok && escaped.error.details, { line: 1, column: 33 });
  for (const text of ['', '  # SELECT', '<SELECT>', '"SELECT"', '?SELECT']) {
    assert.equal(queryFacts(text).ok, false, text);
  }
});

test('volatile functions are found in upper and lower case, and only in calls', () => {
  for (const call of ['NOW()', 'now ( )', 'RAND()', 'UUID()', 'StrUuid()', 'BNODE(?x)', 'bnode()']) {
    assert.equal(facts(`SELECT (${call} AS ?x) {}`).isVolatile, true, call);
  }
  for (const text of [
    'SELECT ?now { ?now ?rand $uuid }',
    'SELECT * { ?s ex:now now:rand , :uuid , <now> , <http://e/RAND> , "NOW()" , "x"@now , _:bnode }',
    "SELECT * { ?s ?p 'it\\'s NOW()', '''NOW() ' RAND()''', \"\"\"UUID()\"\"\" }",
    'SELECT * { # NOW()\n ?s ?p "# x" }',
    'SELECT * { ?s ?p "a" # "\n # NOW()\n}',
  ]) {
    assert.equal(facts(text).isVolatile, false, text);
  }
  assert.equal(facts('SELECT * { ?s ?p "#" FILTER(NOW() > ?p) }').isVolatile, true);
});

test('a volatile function is found between operators and in escaped spelling', () => {
  assert.equal(facts('SELECT * { ?s ?p ?o FILTER(?p<NOW()&&?o>?s) }').isVolatile, true);
  assert.equal(facts('SELECT * { ?s ?p ?o FILTER(?p < NOW() && ?o > ?s) }').isVolatile, true);
  assert.equal(facts("SELECT (IF('a'<'x>',NOW(),'y') AS ?t) {}").isVolatile, true);
  assert.equal(facts("SELECT (?s<'x>' AS ?b) FROM <urn:nope> {?s ?p ?o}").hasFrom, true);
  assert.equal(facts("SELECT * { FILTER(?s<'x>') SERVICE <urn:x> {} }").hasService, true);
  assert.equal(facts('SELECT (\\u004EOW() AS ?x) {}').isVolatile, true);
  assert.equal(facts('SELECT (\\U0000004eOW() AS ?x) {}').isVolatile, true);
  assert.equal(facts('SELECT * { ?s ?p "\\u0022, NOW(), \\u0022" }').isVolatile, true);
  assert.equal(facts('SELECT * { ?s ?p "\\u005C", NOW(), "" }').isVolatile, true);
});

test('SELECT * lists the variables in the order in which they are first written', () => {
  const text = 'SELECT DISTINCT * { ?s ?p "?no" . $b ?p ?a # ?comment\n FILTER(?a = <?iri>) } ORDER BY ?z';
  assert.deepEqual(facts(text).order, ['s', 'p', 'b', 'a', 'z']);
  assert.deepEqual(facts('select * {}').order, []);
  assert.deepEqual(facts('SELECT REDUCED * { ?é ?p1 ?o }').order, ['é', 'p1', 'o']);
});

test('queries without SELECT * have no column order', () => {
  for (const text of ['SELECT ?a { ?b ?c ?a }', 'SELECT (COUNT(*) AS ?n) {}', 'ASK { ?s ?p ?o }']) {
    assert.equal(facts(text).order, undefined);
  }
  assert.equal(facts('DESCRIBE * { ?s ?p ?o }').order, undefined);
});

test('variables with computed values are distinguished from those that select a term', () => {
  const computed = (text: string) => [...facts(text).computed].sort();
  assert.deepEqual(computed('SELECT ?a (COUNT(*) AS ?n) (SUM(?x) as ?s) { ?a ?b ?x }'), ['n', 's']);
  assert.deepEqual(computed('SELECT * { ?a ?b ?x BIND(?x + 1 AS ?y) BIND(STR(?x) AS ?z) }'), ['y', 'z']);
  const picks =
    'SELECT (?x AS ?a) (MAX(?x) AS ?b) (min(DISTINCT ?x) AS ?c) (SAMPLE(?x) AS ?d) { BIND(?e AS ?f) }';
  assert.deepEqual(computed(picks), []);
  assert.deepEqual(computed('SELECT (-MAX(?x) AS ?b) (MAX(?x + 1) AS ?c) (MAX(?x) + MAX(?y) AS ?d) {}'), [
    'b',
    'c',
    'd',
  ]);
  const nested = 'SELECT (?m AS ?o) { BIND(?n AS ?m) { SELECT (COUNT(*) AS ?n) {} } }';
  assert.deepEqual(computed(nested), ['m', 'n', 'o']);
  assert.deepEqual(computed('SELECT ?as { ?as ?p "AS ?x" }'), []);
});

test('a long chain of variable aliases is followed in linear time', (context) => {
  const links = 300;
  const chain = Array.from({ length: links }, (_, n) => `(?${n + 1} AS ?${n})`).join('');
  const has = context.mock.method(Set.prototype, 'has');
  const { computed } = facts(`SELECT ${chain}(1+1 AS ?${links}){}`);
  assert.equal(computed.size, links + 1);
  assert.ok(has.mock.callCount() < 10 * links, String(has.mock.callCount()));
});

test('FROM and SERVICE are found only as keywords', () => {
  const plain = facts('SELECT * { ?from ex:service "SERVICE FROM" }');
  assert.deepEqual([plain.hasFrom, plain.hasService], [false, false]);
  const both = facts('SELECT * from named <g> { service silent <x> {} }');
  assert.deepEqual([both.hasFrom, both.hasService], [true, true]);
});

test('the form is found in texts that are invalid after it', () => {
  for (const text of [
    'SELECT "',
    "SELECT '''",
    'SELECT <',
    'SELECT \ud800 \u0000',
    'SELECT \\u',
    'SELECT \\UFFFFFFFF',
  ]) {
    assert.equal(facts(text).form, 'select');
  }
});

test('the form is found without reading the text after it', async (context) => {
  const look = context.mock.method(String.prototype, 'charCodeAt');
  const text = `PREFIX ask: <http://e/> select * { VALUES ?x { ${'1 '.repeat(100_000)} } }`;
  assert.deepEqual(await queryForm(text), { ok: true, value: 'select' });
  assert.ok(look.mock.callCount() < 1_000, String(look.mock.callCount()));
});

test('the search for the form after many declarations yields to the event loop', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  const text = `${'BASE<a>'.repeat(20_000)}ASK {}`;
  assert.deepEqual(await queryForm(text), { ok: true, value: 'ask' });
  clearImmediate(next);
  assert.ok(turns >= 10, String(turns));
});

test('a text without a form is rejected with a position, even if only the form is requested', async () => {
  const place = async (text: string) => {
    const result = await queryForm(text);
    return !result.ok && result.error.details;
  };
  assert.deepEqual(await place('PREFIX e: <http://e/>\r\n#\r  SELCT * {}'), { line: 3, column: 3 });
  assert.deepEqual(await place('BASE <a>\n'), { line: 2, column: 1 });
});
