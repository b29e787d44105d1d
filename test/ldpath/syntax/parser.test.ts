import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { parsePath, parseProgram } from '../../../src/ldpath/syntax/parser.ts';
import { ending } from '../../support/ending.ts';
import { printSelector, printTest } from '../printer.ts';
import { errorOf, prefixes } from '../support.ts';

const program = (text: string) => parseProgram(text, prefixes).program;
const path = (text: string) => parsePath(text, prefixes).path;

/** Code, line and column of what is wrong. */
function place(call: () => unknown): string {
  const { code, details } = errorOf(call);
  return `${code} ${details.line}:${details.column}`;
}

describe('program parser', () => {
  it('accepts directives in any order, and fields of all three kinds', () => {
    const parsed = program(`
      title = foaf:name :: xsd:string ; @prefix : <http://e.org/> ex:nick = foaf:nick ;
      @filter is-a foaf:Person ; @graph ex:g1, :g2 ; @filter foaf:name ; @boost foaf:age ;
      @graph ex:g1 ;
      foaf:knows/:p ;
    `);
    assert.deepEqual(
      parsed.fields.map(({ name, naming }) => [name, naming]),
      [
        ['title', 'identifier'],
        ['http://example.org/nick', 'iri'],
        ['http://xmlns.com/foaf/0.1/knows', 'derived'],
      ],
    );
    assert.deepEqual(parsed.graphs, ['http://example.org/g1', 'http://e.org/g2']);
    assert.equal(parsed.filters.length, 2);
    assert.equal(printSelector(parsed.boost!), '<http://xmlns.com/foaf/0.1/age>');
    assert.deepEqual([...parsed.prefixes], [['', 'http://e.org/']]);
  });

  it('accepts configurations, including empty ones and trailing commas', () => {
    const parsed = program(
      'a = foaf:name :: xsd:string (boost="2.0", stored=true, boost="3",) ; b = foaf:nick () ;',
    );
    assert.deepEqual(
      [...parsed.fields[0]!.configuration],
      [
        ['boost', '3'],
        ['stored', 'true'],
      ],
    );
    assert.equal(parsed.fields[1]!.configuration.size, 0);
  });

  it('reads a parenthesis after a field as a configuration only if it is one', () => {
    assert.deepEqual(
      program('foaf:name (foaf:nick)+ ;').fields.map(({ name }) => name),
      ['http://xmlns.com/foaf/0.1/name', 'http://xmlns.com/foaf/0.1/nick'],
    );
  });

  it('requires no semicolon at the end or between unnamed fields', () => {
    assert.equal(program('foaf:name foaf:nick').fields.length, 2);
    assert.equal(program('a = foaf:name').fields.length, 1);
    assert.equal(program('').fields.length, 0);
    assert.equal(
      place(() => program('a = foaf:name b = foaf:nick ;')),
      'parse-error 1:15',
    );
  });

  it('applies a prefix from its declaration on, in preference to those of the caller and the predefined ones', () => {
    assert.equal(
      place(() => program('a = e:x ; @prefix e: <http://e.org/> ;')),
      'unknown-prefix 1:5',
    );
    const parsed = program('@prefix ex: <http://e.org/> ; @prefix fn: <http://f.org/> a = ex:x/fn :y ;');
    assert.equal(printSelector(parsed.fields[0]!.selector), '<http://e.org/x> / <http://f.org/y>');
  });

  it('accepts keywords as field names, and as local names directly after the colon', () => {
    const parsed = program('is = ex:is ; is-a = ex:is-a ; x = ex:isbn ;');
    assert.deepEqual(
      parsed.fields.map((field) => [field.name, printSelector(field.selector)]),
      [
        ['is', '<http://example.org/is>'],
        ['is-a', '<http://example.org/is-a>'],
        ['x', '<http://example.org/isbn>'],
      ],
    );
  });
});

describe('path parser', () => {
  it('requires a path, with nothing after it except a semicolon', () => {
    assert.equal(path('foaf:name ; ').kind, 'property');
    assert.equal(
      place(() => path('foaf:knows ) nonsense')),
      'parse-error 1:12',
    );
    assert.equal(
      place(() => path('foaf:knows foaf:name')),
      'parse-error 1:12',
    );
    assert.equal(
      place(() => path('')),
      'parse-error 1:1',
    );
  });

  it('accepts the names of Turtle, and more', () => {
    const iri = (text: string) => printSelector(path(text));
    assert.equal(iri('ex:größe'), '<http://example.org/größe>');
    assert.equal(iri('ex:a%20b\\,c'), '<http://example.org/a%20b,c>');
    assert.equal(iri('ex:123'), '<http://example.org/123>');
    assert.equal(iri('foaf : name'), '<http://xmlns.com/foaf/0.1/name>');
    assert.equal(iri('ex:'), '<http://example.org/>');
    assert.equal(iri('foaf:nick.'), '<http://xmlns.com/foaf/0.1/nick.>');
    assert.equal(iri('<http://e.org/\\u00E9>'), '<http://e.org/é>');
  });

  it('skips white space, comments of both kinds, and a byte-order mark', () => {
    assert.equal(path('\ufeff foaf:a # one\n/ /* two / */\u00a0foaf:b').kind, 'path');
  });

  it('ignores an unclosed comment if the path before it is complete', () => {
    assert.equal(parsePath('foaf:knows/*', {}).unclosedComment, 10);
    assert.equal(
      place(() => path('foaf:knows/ /* oops')),
      'parse-error 1:13',
    );
  });

  it('reads "!" as a negated property wherever no test can start', () => {
    assert.equal(printSelector(path('!ex:p')), '*!(<http://example.org/p>)');
    assert.equal(
      printSelector(path('foaf:a[foaf:b/!(ex:p)]')).includes('/ *!(<http://example.org/p>)'),
      true,
    );
    const negation = path('foaf:a[!ex:p]');
    assert.equal(negation.kind === 'filtered' && negation.tests[0]!.kind, 'not');
    const right = path('foaf:a[ex:q & !ex:p is "x"]');
    assert.equal(
      right.kind === 'filtered' && printTest(right.tests[0]!),
      '<http://example.org/q> & !(<http://example.org/p> is "x")',
    );
  });

  it('rejects the inversion of tests, functions and constants', () => {
    for (const inner of ['foaf:a[foaf:b]', 'fn:first(foaf:a)', '"x"', '(foaf:a | (foaf:b/"x"))+']) {
      assert.equal(errorOf(() => path(`^(${inner})`)).code, 'parse-error', inner);
    }
  });

  it('rejects empty bounds', () => {
    assert.equal(
      place(() => path('foaf:a{3,2}')),
      'parse-error 1:7',
    );
    assert.equal(errorOf(() => path('foaf:a{,}')).code, 'parse-error');
  });
});

describe('errors', () => {
  it('name the furthest token that was read, and what was expected there', () => {
    const error = errorOf(() => program('x = foaf:name ;\ny = foaf:name[ ;'));
    assert.equal(error.code, 'parse-error');
    assert.deepEqual([error.details.line, error.details.column, error.details.found], [2, 16, ';']);
    assert.ok(error.details.expected!.includes('a selector'));
    assert.equal(error.details.sourceLine, 'y = foaf:name[ ;');
    assert.match(error.message, /but found ; \(line 2, column 16\)$/);
  });

  it('count columns in code points', () => {
    assert.equal(
      place(() => path('"😀"/$')),
      'parse-error 1:5',
    );
  });

  it('report a syntax error rather than a later lexical error', () => {
    assert.equal(
      place(() => path('foaf:a ) "unclosed')),
      'parse-error 1:8',
    );
    assert.equal(
      place(() => path('foaf:a / "unclosed')),
      'parse-error 1:10',
    );
    assert.equal(
      place(() => path('foaf:a & \u0007')),
      'parse-error 1:10',
    );
  });

  it('suggest the nearest prefix, function or type', () => {
    assert.match(errorOf(() => path('faof:name')).message, /did you mean "foaf"/);
    const unknown = errorOf(() => path('fn:conct(.)'));
    assert.equal(unknown.code, 'unknown-function');
    assert.match(unknown.message, /did you mean "concat"/);
    const type = errorOf(() => program('a = foaf:age :: xsd:integr ;'));
    assert.equal(type.code, 'unknown-function');
    assert.match(type.message, /#integer/);
  });

  it('explain that a test function is not a selector', () => {
    const error = errorOf(() => program('n = fn:eq(foaf:knows, "1") ;'));
    assert.equal(error.code, 'unknown-function');
    assert.match(error.message, /is only allowed in a test/);
  });

  it('report a wrong number of arguments', () => {
    const error = errorOf(() => compileProgram('n = foaf:a[fn:eq(foaf:b)] ;', { prefixes }));
    assert.equal(error.code, 'bad-arguments');
    assert.match(error.message, /fn:eq takes 2 arguments, not 1/);
    assert.deepEqual([error.details.line, error.details.column, error.details.source], [1, 12, 'program']);
  });

  it('report relative IRIs, and names that do not expand to an IRI', () => {
    assert.equal(
      place(() => path('<relative>')),
      'parse-error 1:1',
    );
    assert.equal(
      place(() => program('@prefix e: <relative> ;')),
      'parse-error 1:12',
    );
    assert.equal(errorOf(() => parsePath('e:x', { e: 'http://e.org/" >' })).code, 'parse-error');
  });

  it('explain why a field needs a name', () => {
    assert.match(errorOf(() => program('(foaf:name) ;')).message, /derived from a group/);
    assert.match(errorOf(() => program('* ;')).message, /derived from a wildcard/);
  });
});

describe('limits', () => {
  it('reject nesting long before the call stack overflows', () => {
    const deep = 10_000;
    for (const text of [
      `${'('.repeat(deep)}foaf:a${')'.repeat(deep)}`,
      `foaf:a${'[foaf:a'.repeat(deep)}${']'.repeat(deep)}`,
      `foaf:a[${'('.repeat(deep)}foaf:a${')'.repeat(deep)}]`,
      `foaf:a[${'!'.repeat(deep)}foaf:a]`,
      `${'fn:first('.repeat(deep)}.${')'.repeat(deep)}`,
      `foaf:a${'+'.repeat(deep)}`,
      `${'foaf:a | foaf:b & '.repeat(deep)}foaf:c`,
    ]) {
      assert.match(errorOf(() => path(text)).message, /Nested too deeply|Too many postfix/);
    }
  });

  it('allow 200 levels of groups, the outermost selector included', () => {
    const groups = (count: number) => path(`${'('.repeat(count)}foaf:a${')'.repeat(count)}`);
    groups(199);
    assert.match(errorOf(() => groups(200)).message, /Nested too deeply/);
  });

  it('keep the parsing time of nested tests linear', () => {
    const nested = `foaf:a[${'(('.repeat(40)}foaf:b & foaf:c${') | foaf:d)'.repeat(40)}]`;
    ending(() => path(nested));
  });

  it('allow long runs of operators, which need no deep recursion', () => {
    for (const separator of [' / ', ' | ', ' & ']) {
      const long = Array.from({ length: 150_000 }, () => 'foaf:knows').join(separator);
      ending(() => {
        compileProgram(`a = ${long} ; b = foaf:a[${long}] ;`, { prefixes });
        errorOf(() => compileProgram(`b = foaf:a[${long} is "x" "y"] ;`, { prefixes }));
      });
    }
  });
});
