import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Store } from 'oxigraph';
import { AppError } from '../../../src/errors.ts';
import { evaluateCorrected } from '../../../src/sparql/engine/evaluate-corrected.ts';
import { withAppErrors } from '../../../src/sparql/engine/oxigraph-errors.ts';
import { queryFacts } from '../../../src/sparql/language/query-facts.ts';
import { sparqlTokens } from '../../../src/sparql/language/tokens.ts';

const store = new Store();
const format = 'text/tab-separated-values';
const baseIri = 'http://base/';

function ask(text: string): string {
  return withAppErrors(() => String(store.query(text, { base_iri: baseIri, results_format: format })));
}

function succeeds(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof AppError) return error.code !== 'parse-error';
    throw error;
  }
}

/**
 * Facts serve queries that are evaluated. One with an unknown function is not, and Oxigraph reports
 * that before it finds out that its correction is invalid.
 */
function evaluates(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

const facts = (text: string) => {
  const result = queryFacts(text);
  return result.ok ? result.value : undefined;
};

/** For Oxigraph a word is a keyword if changing the word makes the text invalid SPARQL. */
function isKeyword(text: string, words: RegExp): boolean {
  const other = text.replaceAll(words, (word) => `${word.slice(0, 1)}X${word.slice(2)}`);
  return other !== text && !succeeds(() => ask(other));
}

const term = fc.constantFrom(
  ...['ex:a', 'ex:a.b.c', ':FROM', 'from:a', ':', 'ex:', 'ex:now', 'true', '1', '1.5', '.5', '1e5', '1.'],
  ...['?x', '$from', '<urn:now>', '<FROM>', '_:b', '_:b.c', '"a"', "'NOW('@en", '"""a"""', '"""', '""', '"'],
  ...[
    '"a"^^ex:d',
    "'''b'''",
    '"\\"FROM<g>"',
    '"""\\q',
    'graph:g',
    'now.uuid:a',
    'UNDEF',
    '[]',
    '"a"@en--ltr',
  ],
);
const verb = fc.constantFrom('a', 'ex:p', ':p.q.r', '?p', '<p>', '^ex:p', 'ex:p*', '<FROM>|:p', '!a');
const call = fc.constantFrom(
  'NOW()',
  'rand()',
  'UUID()',
  'StrUUID()',
  'BNODE()',
  '1',
  '?x<1',
  "?x<'>'",
  'ex:a',
);
const expression = fc
  .tuple(call, fc.constantFrom('=', '<', '>', '&&', '<=', '+', 'IN('), call)
  .map(([left, mark, right]) => ['(', left, mark, right, mark === 'IN(' ? ')' : '', ')']);
const group = fc.oneof(
  fc.tuple(term, verb, term).map((triple) => [...triple, '.']),
  fc.tuple(term, verb, term),
  fc.oneof(call, expression).map((test) => ['FILTER', test].flat()),
  fc.tuple(call, fc.nat(9)).map(([value, n]) => ['BIND', '(', value, 'AS', `?v${n}`, ')']),
  fc.array(term, { maxLength: 3 }).map((values) => ['VALUES', '?x', '{', ...values, '}']),
  fc
    .tuple(fc.constantFrom('GRAPH', 'OPTIONAL', 'MINUS', 'FILTERNOTEXISTS', 'SERVICESILENT'), term)
    .map(([word, name]) => [
      word,
      ...(/[HT]$/.test(word) && !/EXISTS|OPTION/.test(word) ? [name] : []),
      '{',
      '}',
    ]),
);
const clause = fc.oneof(
  fc.constantFrom('ex:g', '<g>', 'from:g', ':', 'now.uuid:a').map((name) => ['FROM', name]),
  fc.constantFrom('ex:g', '<g>').map((name) => ['FROM', 'NAMED', name]),
);
const head = fc.constantFrom(
  ['SELECT', '*'],
  ['SELECT', 'DISTINCT', '?x'],
  ['SELECT', '(', 'NOW()', 'AS', '?t', ')'],
  ['SELECT', '(', '1', 'AS', '?t', ')'],
  ['ASK'],
);
const tail = fc.constantFrom(
  [],
  ['LIMIT', '1', 'OFFSET', '0'],
  ['ORDER', 'BY', 'RAND()'],
  ['ORDER', 'BY', '?x', 'LIMIT', '1'],
);
const prologue = [
  'ex: <urn:x:>',
  ': <urn:y:>',
  'from: <urn:f:>',
  'FROMex: <urn:fx:>',
  'graph: <urn:g:>',
  'now.uuid: <urn:n:>',
]
  .map((each) => `PREFIX ${each}\n`)
  .join('');
const query = fc
  .tuple(
    head,
    fc.array(clause, { maxLength: 2 }),
    fc.constantFrom([], ['WHERE']),
    fc.array(group, { maxLength: 3 }),
    tail,
    fc.array(fc.constantFrom('', '', '', ' ', '\n', '#FROM<g>\n', '\t'), { minLength: 8, maxLength: 40 }),
  )
  .map(([first, from, where, groups, last, spaces]) => {
    const pieces = [...first, ...from.flat(), ...where, '{', ...groups.flat(), '}', ...last];
    return prologue + pieces.map((piece, at) => piece + spaces[at % spaces.length]).join('');
  });

test('query facts agree with Oxigraph for words without white space between them', () => {
  let taken = 0;
  fc.assert(
    fc.property(query, (text) => {
      const isAccepted =
        evaluates(() => ask(text)) && evaluates(() => evaluateCorrected({ text, baseIri, format }, ask));
      const read = facts(text);
      if (!isAccepted || !read) return;
      taken++;
      const hasFrom = isKeyword(text, /from/gi);
      assert.equal(read.hasFrom, hasFrom, 'FROM');
      const isVolatile = isKeyword(text, /now|rand|uuid|bnode/gi);
      assert.equal(read.isVolatile, isVolatile, 'volatile');
    }),
    { numRuns: 1500 },
  );
  assert.ok(taken > 100, String(taken));
});

test('keywords need no white space where no longer terminal matches', () => {
  for (const text of ['SELECT*{FILTERNOW()}', 'ASK{?s ?p true.FILTERNOW()}', 'SELECT?x{}ORDERBYRAND()']) {
    assert.ok(
      succeeds(() => ask(text)),
      text,
    );
    assert.equal(facts(text)?.isVolatile, true, text);
  }
  for (const text of ['ASKFROM<urn:g>{}', 'SELECT*FROMNAMED<urn:g>{}', 'SELECT(1AS?x)FROM<urn:g>{}']) {
    assert.ok(
      succeeds(() => ask(text)),
      text,
    );
    assert.equal(facts(text)?.hasFrom, true, text);
  }
  const [first] = sparqlTokens('TRUEST');
  assert.equal(first?.text, 'TRUEST');
});

test('a string ends where it does for Oxigraph, even if it begins like a long string', () => {
  for (const text of [
    'SELECT*{VALUES ?x {"""a"}FILTER(NOW()>1)}',
    'SELECT*{VALUES ?x {"""a"}FILTER(NOW()>1)#\\q"""\n}',
    'PREFIX : <urn:x:> SELECT*{?s ?p :.FILTERNOW()}',
  ]) {
    assert.ok(
      succeeds(() => ask(text)),
      text,
    );
    assert.equal(facts(text)?.isVolatile, true, text);
  }
});

/** Returns the error for a query that Oxigraph would accept, with its position. */
function errorOf(text: string): string {
  ask(text);
  try {
    evaluateCorrected({ text, baseIri, format }, ask);
    return '';
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'parse-error');
    return `${error.details.line}:${error.details.column} ${error.message}`;
  }
}

test('a name that Oxigraph would split into a keyword and another name is rejected', () => {
  const declared = 'PREFIX ex: <urn:x:>\n';
  assert.match(errorOf(`${declared}SELECT * FROMex:g {}`), /^2:10 .*the prefix 'FROMex:' is not declared/);
  assert.match(errorOf(`${declared}ASK { GRAPHex:g {} }`), /^2:7 .*the prefix 'GRAPHex:' is not declared/);
  const both = `${declared}PREFIX FROMex: <urn:y:> `;
  assert.match(errorOf(`${both}SELECT * FROMex:g {}`), /^2:34 .*'FROMex:g' is one name/);
  assert.match(
    errorOf(`${declared}ASK { ?s ?p ex:a.b.FILTERNOW() }`),
    /^2:13 .*'ex:a.b.FILTERNOW' is one name/,
  );
});

test('names that contain keywords or several dots are single names', () => {
  const text = `PREFIX from: <urn:f:> PREFIX : <#> SELECT ?x FROM from:now {
    VALUES ?x { from:a.b.c :service :a.b\\-c.d }
  }`;
  assert.deepEqual(evaluateCorrected({ text, baseIri, format }, ask).split('\n'), [
    '?x',
    '<urn:f:a.b.c>',
    '<http://base/#service>',
    '<http://base/#a.b-c.d>',
    '',
  ]);
});
