import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { allFunctions } from '../../../src/ldpath/functions/catalog.ts';
import { graphOf, people, prefixes, select } from '../support.ts';

const data = graphOf(`
  ex:n ex:int 5, 7, 10 ; ex:mix 3, "4", "x", 2.5 ; ex:neg -3, -1 ; ex:words "b", "a", "c" ;
    ex:big 9007199254740993, 9007199254740992 ; ex:dec 2.5, -2.5, 0.4 ; ex:nan "NaN"^^xsd:double ;
    ex:date "2020-01-05T09:00:00Z"^^xsd:dateTime, "2020-01-05T10:00:00+02:00"^^xsd:dateTime, "soon" ;
    ex:labels "10", "9", "b", "B", "a b", "ab", "a-b", "é", "f", "e" .
  ex:l ex:list ( "x" "y" "z" ) ; ex:none () ; ex:twice ( "d" "d" ) ;
    ex:seq [ a rdf:Seq ; rdf:_1 "s1" ; rdf:_2 "s2" ; rdf:_4 "s4" ] ; ex:alt [ a rdf:Alt ; rdf:_1 "a1" ] .
  ex:loop rdf:first "c" ; rdf:rest ex:loop .
  ex:l ex:branching [ rdf:first "a" ; rdf:rest [ rdf:first "b" ; rdf:rest ( "d" ) ], [ rdf:first "c" ] ] ;
    ex:headless [ rdf:rest ( "q" "r" ) ] .
  ex:t ex:text "Hello World" ; ex:de "Hallo"@de ; ex:ref ex:thing ; ex:blank _:b ; ex:emoji "a😀b" ; ex:empty "" .
`);

function check(start: string, rows: readonly (readonly [string, readonly string[]])[]): void {
  for (const [path, expected] of rows) assert.deepEqual(select(data, start, path), expected, path);
}

function warningsOf(start: string, path: string): number {
  const evaluator = new Evaluator();
  evaluator.evaluatePath(compilePath(path, { prefixes }), data, `<http://example.org/${start}>`);
  return evaluator.warnings.length;
}

const int = (value: number) => `"${value}"^^xsd:integer`;

describe('core functions', () => {
  it('run once for each context node', () => {
    assert.deepEqual(select(people, 'alice', 'foaf:knows/fn:concat(foaf:name, "!")'), ['"Bob!"', '"Carol!"']);
    assert.deepEqual(select(people, 'alice', 'fn:concat(foaf:knows/foaf:name, "!")'), ['"BobCarol!"']);
    assert.deepEqual(select(people, 'alice', 'fn:first(foaf:missing, foaf:knows, foaf:nick)'), [
      'ex:bob',
      'ex:carol',
    ]);
    assert.deepEqual(select(people, 'alice', 'fn:last(foaf:name, foaf:missing)'), ['"Alice"']);
    assert.deepEqual(select(people, 'alice', 'fn:count(foaf:knows, foaf:missing)'), [int(2), int(0)]);
  });

  it('sort by string, number and date, in ascending order by default', () => {
    check('n', [
      ['fn:sort(ex:words)', ['"a"', '"b"', '"c"']],
      ['fn:sort(ex:words, "string", "desc")', ['"c"', '"b"', '"a"']],
      ['fn:sort(ex:int, "number", "DESC")', [int(10), int(7), int(5)]],
      ['fn:sort(ex:big, "number")/fn:str()', ['"9007199254740992"', '"9007199254740993"']],
      ['fn:sort(ex:labels)', ['"10"', '"9"', '"ab"', '"a b"', '"a-b"', '"b"', '"B"', '"e"', '"é"', '"f"']],
      [
        'fn:sort(ex:labels, "codepoint")/fn:strLeft(., 1)',
        ['"1"', '"9"', '"B"', '"a"', '"b"', '"e"', '"f"', '"é"'],
      ],
      ['fn:sort(ex:mix, "number")', ['"2.5"^^xsd:decimal', int(3), '"4"', '"x"']],
    ]);
    assert.equal(warningsOf('n', 'fn:sort(ex:mix, "number")'), 1);
    assert.equal(warningsOf('n', 'fn:sort(ex:mix, ex:missing)'), 1);
  });

  it('sort NaN after all numbers', () => {
    const numbers = '("3" | "NaN"^^xsd:double | "1" | "2")';
    check('n', [
      [`fn:sort(${numbers}, "number")`, ['"1"', '"2"', '"3"', '"NaN"^^xsd:double']],
      [`fn:sort(${numbers}, "number", "desc")`, ['"NaN"^^xsd:double', '"3"', '"2"', '"1"']],
    ]);
  });

  it('sort punctuation before digits and letters, and give blanks and hyphens the least weight (ldpath 5.2, 8.3)', () => {
    const sorted = [
      '"@x"',
      '"#"',
      '"1,5"',
      '"15"',
      '"a,b"',
      '"a.b"',
      '"aa"',
      '"ab"',
      '"a b"',
      '"a-b"',
      '"Z"',
    ];
    check('n', [
      [`fn:sort(${sorted.toReversed().join(' | ')})`, sorted],
      ['fn:sort("http://e.org/ab" | "http://e.org/a/z")', ['"http://e.org/a/z"', '"http://e.org/ab"']],
    ]);
  });

  it('select from, reverse and truncate lists', () => {
    check('n', [
      ['fn:firstOne(ex:missing, ex:int)', [int(5)]],
      ['fn:lastOne(ex:int, ex:missing)', [int(10)]],
      ['fn:reverse(ex:int)', [int(10), int(7), int(5)]],
      ['fn:slice(ex:int, 1)', [int(7), int(10)]],
      ['fn:distinct(ex:int, ex:int)', [int(5), int(7), int(10)]],
    ]);
  });
});

describe('collection functions', () => {
  it('flatten lists and containers', () => {
    check('l', [
      ['fn:flatten(ex:list)', ['"x"', '"y"', '"z"']],
      ['ex:list/fn:flatten()', ['"x"', '"y"', '"z"']],
      ['fn:flatten(ex:twice)', ['"d"', '"d"']],
      ['fn:flatten(ex:none)', []],
      ['fn:flatten(ex:seq)', ['"s1"', '"s2"']],
      ['fn:flatten(ex:alt)', ['"a1"']],
    ]);
    check('loop', [['fn:flatten()', ['"c"']]]);
    assert.equal(warningsOf('n', 'fn:flatten(ex:words)'), 3);
  });

  it('return members by index and by range', () => {
    check('l', [
      ['fn:get(ex:list, "1")', ['"y"']],
      ['fn:get(ex:list, "9")', []],
      ['fn:get(ex:seq, 3)', ['"s4"']],
      ['fn:subList(ex:list, "1")', ['"y"', '"z"']],
      ['fn:subList(ex:list, "-4", "2")', ['"x"', '"y"']],
      ['ex:list/fn:subList("0", "1")', ['"x"']],
      ['fn:subList(ex:seq, "-1")', []],
      ['fn:subList(ex:seq, "3")', ['"s4"']],
    ]);
  });

  it('count list cells, also if a list branches or a cell has no member (ldpath 5.3)', () => {
    check('l', [
      ['fn:flatten(ex:branching)', ['"a"', '"b"', '"d"', '"c"']],
      ['fn:get(ex:branching, "1")', ['"b"', '"c"']],
      ['fn:subList(ex:branching, "1", "2")', ['"b"', '"c"']],
      ['fn:flatten(ex:headless)', ['"q"', '"r"']],
      ['fn:get(ex:headless, "0")', []],
      ['fn:get(ex:headless, "1")', ['"q"']],
      ['fn:subList(ex:headless, "1", "2")', ['"q"']],
    ]);
  });
});

describe('text functions', () => {
  it('replace matches of regular expressions, with the replacement syntax of Java', () => {
    check('t', [
      ['fn:replace(ex:text, "o", "0")', ['"Hell0 W0rld"']],
      ['fn:replace(ex:text, "(\\w+) (\\w+)", "$2-$1")', ['"World-Hello"']],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the syntax under test
      ['fn:replace(ex:text, "(?<first>\\w+) .*", "${first}\\$10")', ['"Hello$10"']],
      ['fn:replace(ex:text, "(?i)h(e)", "$12")', ['"e2llo World"']],
      ['fn:replace(ex:de, "a", "e")', ['"Hello"@de']],
      ['fn:replace(ex:ref, "thing", "other")', ['ex:other']],
      ['fn:replace(ex:blank, "a", "b")', []],
      ['fn:replace(ex:ref, "thing", "<>")', []],
    ]);
    for (const call of [
      'ex:text, "(", "x"',
      'ex:text, "o", "$1"',
      'ex:text, "o", "$"',
      'ex:text, ex:none, "x"',
    ]) {
      assert.equal(warningsOf('t', `fn:replace(${call})`), 1, call);
    }
  });

  it('measure and cut strings in characters', () => {
    check('t', [
      ['fn:strlen(ex:emoji)', [int(3)]],
      ['fn:substr(ex:emoji, 1, 2)', ['"😀"']],
      ['fn:substr(ex:text, "-4", "5")', ['"Hello"']],
      ['fn:strLeft(ex:text, "4")', ['"Hell"']],
      ['fn:strRight(ex:text, "3")', ['"rld"']],
      ['fn:strRight(ex:text, 100)', ['"Hello World"']],
      ['fn:wc("Don\'t stop-me 42")', [int(5)]],
      ['fn:wc(ex:empty)', [int(0)]],
      ['fn:upper(ex:de)', ['"HALLO"']],
      ['fn:split(ex:text, "\\s|(l)")', ['"He"', '""', '"o"', '"Wor"', '"d"']],
      ['fn:strJoin(fn:split("b a", " "), "+", "<", ">")', ['"<b+a>"']],
    ]);
    assert.equal(warningsOf('t', 'fn:substr(ex:text, 5, 2)'), 1);
    assert.equal(warningsOf('t', 'fn:strLeft(ex:text, "two")'), 1);
  });

  it('accept as integer arguments all values that convert to xsd:int (Q-T7)', () => {
    check('t', [
      ['fn:strLeft(ex:text, "2.0")', ['"He"']],
      ['fn:strLeft(ex:text, "+2")', ['"He"']],
      ['fn:substr(ex:text, " 9 ")', ['"ld"']],
      ['fn:strRight(ex:text, "2e0")', ['"ld"']],
      ['fn:strLeft(ex:text, "2147483647")', ['"Hello World"']],
    ]);
    for (const index of ['2147483648', '-99999999999', '2.5', '', '1e-1', '1e99']) {
      assert.equal(warningsOf('t', `fn:strLeft(ex:text, "${index}")`), 1, index);
    }
  });
});

describe('math and date functions', () => {
  it('find the least and greatest number, and skip other values', () => {
    check('n', [
      ['fn:min(ex:mix)', ['"2.5"^^xsd:decimal']],
      ['fn:max(ex:mix, ex:int)', ['"4"', int(10)]],
      ['fn:max(ex:neg)', [int(-1)]],
      ['fn:max(ex:big)', ['"9007199254740993"^^xsd:integer']],
      ['fn:max(ex:nan)', []],
      ['fn:max("2.5" | "2.50" | "1")', ['"2.5"']],
      ['fn:min("2.5" | "2.50" | "3")', ['"2.5"']],
      ['fn:round(ex:dec)', [int(3), int(-2), int(0)]],
      [
        'fn:round("-3" | "-2.6" | "-2.4" | "-0.5" | "-0.50001")',
        [int(-3), int(-3), int(-2), int(0), int(-1)],
      ],
      ['fn:round("3" | "2.5" | "2.49" | "0")', [int(3), int(3), int(2), int(0)]],
      ['fn:round("NaN" | "INF")', [int(0)]],
      ['fn:round("1e30" | "-1e30")/fn:str()', ['"9223372036854775807"', '"-9223372036854775808"']],
      ['fn:round("99999999999999999999")/fn:str()', ['"9223372036854775807"']],
      ['fn:round("9007199254740993.5")/fn:str()', ['"9007199254740994"']],
    ]);
  });

  it('add integers and decimals exactly', () => {
    check('n', [
      ['fn:sum(ex:int)', [int(22)]],
      ['fn:sum(ex:dec)', ['"0.4"^^xsd:decimal']],
      ['fn:sum(ex:missing)', [int(0)]],
      ['fn:sum(ex:nan)', ['"NaN"^^xsd:double']],
      ['fn:avg(ex:neg)', ['"-2.0E0"^^xsd:double']],
    ]);
  });

  it('compare dates as instants', () => {
    check('n', [
      ['fn:earliest(ex:date)', ['"2020-01-05T10:00:00+02:00"^^xsd:dateTime']],
      ['fn:latest(ex:date)', ['"2020-01-05T09:00:00Z"^^xsd:dateTime']],
      ['fn:latest(ex:int)', []],
    ]);
  });
});

describe('test functions', () => {
  it('compare all pairs of numbers exactly', () => {
    check('n', [
      ['.[fn:gt(ex:int, "4")]', ['ex:n']],
      ['.[fn:gt(ex:int, "5")]', []],
      ['.[fn:anyGt(ex:int, "5")]', ['ex:n']],
      ['ex:mix[fn:ne(., "3")]', ['"4"', '"2.5"^^xsd:decimal']],
      ['ex:big[fn:eq(., "9007199254740992.0")]', ['"9007199254740992"^^xsd:integer']],
      ['ex:nan[fn:eq(., .)]', []],
      ['.[fn:lt(ex:missing, "1")]', ['ex:n']],
      ['.[fn:anyLt(ex:missing, "1")]', []],
    ]);
  });

  it('compare the strings of all kinds of terms', () => {
    check('t', [
      ['*[fn:startsWith(., "Ha")]', ['"Hallo"@de']],
      ['ex:ref[fn:endsWith(., "thing")]', ['ex:thing']],
      ['ex:text[fn:equalsIgnoreCase(., "HELLO world")]', ['"Hello World"']],
      ['ex:text[fn:matches(., "^H.*d$")]', ['"Hello World"']],
      ['.[fn:isEmpty(ex:empty)]', ['ex:t']],
      ['.[fn:isEmpty(ex:text)]', []],
    ]);
  });

  it('distinguish the kinds of terms', () => {
    check('t', [
      ['*[fn:isIri(.)]', ['ex:thing']],
      ['*[fn:isBlank(.)]', ['_:b']],
      ['ex:text[fn:exists(.)]', ['"Hello World"']],
      ['.[fn:empty(ex:missing)]', ['ex:t']],
    ]);
  });
});

describe('term functions', () => {
  it('return the parts of terms and create IRIs', () => {
    check('t', [
      ['fn:lang(ex:de | ex:text)', ['"de"']],
      ['fn:datatype(ex:text)', ['xsd:string']],
      ['fn:local(ex:ref)', ['"thing"']],
      ['fn:iri("http://example.org/thing")', ['ex:thing']],
      ['fn:iri("not an iri")', []],
      ['fn:iri(ex:ref/fn:str())', ['ex:thing']],
      ['fn:predicates()/fn:local()', ['"text"', '"de"', '"ref"', '"blank"', '"emoji"', '"empty"']],
    ]);
  });
});

describe('the function registry', () => {
  it('describes each function once, in one sentence, sorted by name', () => {
    const names = allFunctions.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)].sort());
    for (const { name, signature, description } of allFunctions) {
      assert.ok(signature.startsWith(`fn:${name}(`), signature);
      assert.match(description, /^[A-Z].*\.$/);
    }
  });
});
