import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorOf, graphOf, run, select } from '../../support.ts';

const data = graphOf(`
  ex:t ex:json '''{"s":"str","n":2.50,"big":1e21,"no":null,"yes":true,"a":[1,"x",{"k":[]}],"o":[{"p":1,"q":"a"},{"p":20}]}''' ;
    ex:null "null" ; ex:bad "{not json" ; ex:half '''{"a":"\\\\ud800"}''' ; ex:two '''{"s":1}''' .
`);

function of(json: string) {
  return graphOf(`ex:d ex:json ${JSON.stringify(json)} .`);
}

describe('fn:jsonpath', () => {
  it('returns scalars as text', () => {
    const rows = { s: '"str"', n: '"2.5"', big: '"1e+21"', no: '"null"', yes: '"true"' };
    for (const [name, expected] of Object.entries(rows)) {
      assert.deepEqual(select(data, 't', `fn:jsonpath("$.${name}", ex:json)`), [expected]);
    }
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$", ex:null)'), ['"null"']);
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.a", ex:half)'), ['"\uFFFD"']);
  });

  it('matches strings with regular expressions of RFC 9485', () => {
    const graph = of(JSON.stringify(['ab', 'xaby', 'Ab', 'a&b', 'a\nb', '1', 1, '😀', 'a-b']));
    const rows: Record<string, string[]> = {
      "match(@, 'ab')": ['"ab"'],
      "search(@, 'ab')": ['"ab"', '"xaby"'],
      "match(@, 'a|x.*')": ['"xaby"'],
      "match(@, '.b')": ['"ab"', '"Ab"'],
      "match(@, '[A&&b]{2}')": ['"Ab"'],
      "match(@, 'a[&&x]b')": ['"a&b"'],
      "match(@, 'a.b')": ['"a&b"', '"a-b"'],
      "match(@, 'a[^x]b')": ['"a&b"', '"a\nb"', '"a-b"'],
      "match(@, '\\\\p{Lu}.')": ['"Ab"'],
      "match(@, '[\\\\p{Ll}&\\\\-]+')": ['"ab"', '"xaby"', '"a&b"', '"a-b"'],
      "search(@, '^a')": ['"ab"', '"a&b"', '"a\nb"', '"a-b"'],
      "search(@, '(a|x)(b|a)$')": ['"ab"'],
      "match(@, '[0-9]')": ['"1"'],
      "match(@, '.')": ['"1"', '"😀"'],
    };
    for (const [test, expected] of Object.entries(rows)) {
      assert.deepEqual(select(graph, 'd', `fn:jsonpath("$[?${test}]", ex:json)`), expected, test);
    }
  });

  it('matches nothing with an expression that is not valid under RFC 9485', () => {
    const graph = of(JSON.stringify(['ab', 'a', '']));
    for (const pattern of ['a)(b', '(?:a)', 'a*?', 'a**', '[a', '\\\\d', '(', 'a{', '[\\\\p{L}-z]', '\\\\1'])
      assert.deepEqual(select(graph, 'd', `fn:jsonpath("$[?match(@, '${pattern}')]", ex:json)`), [], pattern);
  });

  it('keeps all digits of integers and the decimal point of decimals (Q-F10)', () => {
    const graph = of(
      '{"id":12345678901234567890,"a":[-9007199254740993,1.5,"1234567890123456789\\"0"],"d":0.30000000000000004,"e":12.000,"f":[-0.0,10.05,1.50,1.0e2]}',
    );
    const rows = {
      id: '"12345678901234567890"',
      a: '"[-9007199254740993,1.5,"1234567890123456789\\"0"]"',
      'a[0]': '"-9007199254740993"',
      'a[2]': '"1234567890123456789"0"',
      d: '"0.30000000000000004"',
      e: '"12.0"',
      f: '"[-0.0,10.05,1.5,100]"',
    };
    for (const [name, expected] of Object.entries(rows)) {
      assert.deepEqual(select(graph, 'd', `fn:jsonpath("$.${name}", ex:json)`), [expected]);
    }
    assert.deepEqual(select(graph, 'd', 'fn:jsonpath("$[?@ > 1e19]", ex:json)'), ['"12345678901234567890"']);
  });

  it('returns arrays and objects as JSON, and each match of an indefinite path separately', () => {
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.a", ex:json)'), ['"[1,"x",{"k":[]}]"']);
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.a[*]", ex:json)'), ['"1"', '"x"', '"{"k":[]}"']);
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$..p", ex:json)'), ['"1"', '"20"']);
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.o[?@.p > 10 || @.q == \'a\'].p", ex:json)'), [
      '"1"',
      '"20"',
    ]);
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.o[-1].p", ex:json)'), ['"20"']);
  });

  it('applies paths to documents in the order written', () => {
    assert.deepEqual(select(data, 't', 'fn:jsonpath(fn:split("$.s $.n", " "), ex:json, ex:two)'), [
      '"str"',
      '"2.5"',
      '"1"',
    ]);
    assert.deepEqual(select(data, 't', 'ex:two/fn:jsonpath("$.s")'), ['"1"']);
  });

  it('accepts what the reference accepts beyond RFC 9535: paths without `$`, and indexes relative to the end', () => {
    const json = of('{"a":[1,2,3],"b":{"c":"x"}}');
    assert.deepEqual(select(json, 'd', 'fn:jsonpath("b.c", ex:json)'), ['"x"']);
    assert.deepEqual(select(json, 'd', 'fn:jsonpath("$.a[(@.length-1)]", ex:json)'), ['"3"']);
    assert.deepEqual(select(json, 'd', 'fn:jsonpath("a[(@.length - 3)]", ex:json)'), ['"1"']);
  });

  it('only warns if nothing matches, or if the document or the path is malformed', () => {
    const calls = [
      '"$.zip", ex:json',
      '"$.zip[*]", ex:json',
      '"$.a", ex:bad',
      '"$[", ex:json',
      '"$[?(1+1)]", ex:json',
    ];
    for (const call of [
      ...calls,
      '"$[?constructor()]", ex:json',
      '"$.constructor", ex:json',
      '"$.a.length", ex:json',
    ]) {
      const { fields, warnings } = run(data, 't', `x = fn:jsonpath(${call}) ;`);
      assert.deepEqual([fields['x'], warnings.length], [[], 1], call);
    }
  });

  it('continues with the other documents after a malformed one', () => {
    assert.deepEqual(select(data, 't', 'fn:jsonpath("$.s", ex:bad, ex:two)'), ['"1"']);
  });
});

describe('JSON documents', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['are too long', `"${'x'.repeat(1024 * 1024)}"`],
    ['have too many nodes', `[${'1,'.repeat(100_000)}1]`],
    ['are too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ];
  for (const [what, json] of refused) {
    it(`exceed the budget if they ${what}`, () => {
      assert.equal(errorOf(() => select(of(json), 'd', 'fn:jsonpath("$", ex:json)')).code, 'budget-exceeded');
    });
  }

  it('cannot be searched forever', () => {
    const cases = [
      ['$..[?count($..[?count($..*) > 0]) > 0]', JSON.stringify({ a: Array(3000).fill({ b: 1 }) })],
      ['$..*..*..*..*..zip', '['.repeat(400) + ']'.repeat(400)],
    ] as const;
    for (const [path, json] of cases) {
      const search = () => select(of(json), 'd', `fn:jsonpath("${path}", ex:json)`, { steps: 20_000 });
      assert.equal(errorOf(search).code, 'budget-exceeded', path);
    }
  });
});
