import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { removeTags, xmlUnescape } from '../../../../src/ldpath/functions/xml/tags.ts';
import { ending } from '../../../support/ending.ts';
import { errorOf, graphOf, run, select } from '../../support.ts';

const data = graphOf(`
  ex:t ex:xml '''<?xml version="1.0"?><r xmlns:f="http://xmlns.com/foaf/0.1/" xmlns:u="urn:unused">
      <a id='1' f:x="&lt;&#10;">one &amp; two<![CDATA[ <3]]></a><b/><f:name>N</f:name><c><b>4</b><b>n/a</b></c><!-- c --></r>''' ;
    ex:bad "<a><b></a>" ; ex:entity "<a>&eacute;</a>" ; ex:unbound "<q:a/>" ;
    ex:dtd '''<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><r>&x;</r>''' .
`);

const xpath = (expression: string, documents = 'ex:xml') =>
  select(data, 't', `fn:xpath("${expression}", ${documents})`);

function of(xml: string) {
  return graphOf(`ex:d ex:xml ${JSON.stringify(xml)} .`);
}

describe('fn:xpath', () => {
  it('returns elements as self-contained XML', () => {
    assert.deepEqual(xpath('/r/c'), ['"<c><b>4</b><b>n/a</b></c>"']);
    assert.deepEqual(xpath('//f:name | /r/b'), []);
    assert.deepEqual(xpath('//foaf:name | /r/b'), [
      '"<b />"',
      '"<f:name xmlns:f="http://xmlns.com/foaf/0.1/">N</f:name>"',
    ]);
    assert.deepEqual(xpath('/r/a'), [
      '"<a xmlns:f="http://xmlns.com/foaf/0.1/" id="1" f:x="&lt;&#xA;">one &amp; two &lt;3</a>"',
    ]);
  });

  it('keeps a default namespace, and omits an empty one', () => {
    const inside = (xml: string) => select(of(xml), 'd', 'fn:xpath("//*[@id]", ex:xml)');
    assert.deepEqual(inside('<r xmlns="urn:r"><a id="1"/></r>'), ['"<a xmlns="urn:r" id="1" />"']);
    assert.deepEqual(inside('<r xmlns="urn:r"><a xmlns="" id="1"/></r>'), ['"<a id="1" />"']);
    assert.deepEqual(inside('<r xmlns="urn:r"><a xmlns="urn:a" id="1"><b/></a></r>'), [
      '"<a xmlns="urn:a" id="1"><b /></a>"',
    ]);
    assert.deepEqual(inside('<p:r xmlns:p="urn:r"><p:a id="1"/></p:r>'), [
      '"<p:a xmlns:p="urn:r" id="1" />"',
    ]);
  });

  it('supports the string functions of XPath', () => {
    const rows: Record<string, string> = {
      "contains(/r/a, 'two')": '"true"^^xsd:boolean',
      "contains(/r/a, 'three')": '"false"^^xsd:boolean',
      "contains('a', '')": '"true"^^xsd:boolean',
      "substring-before('1999/04/01', '/')": '"1999"',
      "substring-before('1999', '/')": '""',
      "substring-after('1999/04/01', '/')": '"04/01"',
      "substring-after('1999', '/')": '""',
      "substring-after('1999', '')": '"1999"',
      "translate('bar', 'abc', 'AB')": '"BAr"',
      "translate('--aaa--', 'abc-', 'ABC')": '"AAA"',
      "translate('aa', 'aa', 'xy')": '"xx"',
      "concat('a', 1, true(), /r/b)": '"a1true"',
    };
    for (const [expression, expected] of Object.entries(rows)) {
      assert.deepEqual(xpath(expression), [expected], expression);
    }
    for (const expression of [
      "contains('a')",
      "translate('a', 'b')",
      "concat('a')",
      "substring-after('a', 'b', 'c')",
    ]) {
      const { fields, warnings } = run(data, 't', `x = fn:xpath("${expression}", ex:xml) ;`);
      assert.deepEqual([fields['x'], warnings.length], [[], 1], expression);
    }
  });

  it('limits the texts that it creates', () => {
    const document = of(`<r>${'a'.repeat(300_000)}</r>`);
    const doubled = "contains(concat(concat(/r, /r), concat(/r, /r)), 'b')";
    const error = errorOf(() => select(document, 'd', `fn:xpath("${doubled}", ex:xml)`));
    assert.equal(error.code, 'budget-exceeded');
  });

  it('returns text and attributes by value, and omits comments', () => {
    assert.deepEqual(xpath('//a/text()'), ['"one & two <3"']);
    assert.deepEqual(xpath('//a/@*'), ['"1"', '"<\n"']);
    assert.deepEqual(xpath('//comment()'), []);
    assert.deepEqual(xpath('//@*[. = 1]/..', 'ex:xml').length, 1);
  });

  it('returns numbers, booleans and strings as typed literals', () => {
    assert.deepEqual(xpath('count(//b)'), ['"3"^^xsd:integer']);
    assert.deepEqual(xpath('1 div 4'), ['"2.5E-1"^^xsd:double']);
    assert.deepEqual(xpath("//b = 4 and contains(//c, '4n')"), ['"true"^^xsd:boolean']);
    assert.deepEqual(xpath("concat(name(/*), '-', normalize-space(' x  y '))"), ['"r-x y"']);
  });

  it('converts values by the rules of XPath 1.0', () => {
    assert.deepEqual(xpath('//c/b[. > 3]'), ['"<b>4</b>"']);
    assert.deepEqual(xpath('string(//c/b)'), ['"4"']);
    assert.deepEqual(xpath('sum(//c/b)'), ['"NaN"^^xsd:double']);
  });

  it('follows the preceding and following axes', () => {
    assert.deepEqual(xpath('name(//a/following::*[3])'), ['"c"']);
    assert.deepEqual(xpath('count(//c/following::*) + count(//a/preceding::*)'), ['"0"^^xsd:integer']);
    assert.deepEqual(xpath('name(//c/b[1]/preceding::*[1])'), ['"f:name"']);
    assert.deepEqual(xpath('count(//a/@id/following::*)'), ['"5"^^xsd:integer']);
  });

  it('resolves the prefixes of the program', () => {
    const { fields } = run(
      data,
      't',
      '@prefix p: <http://xmlns.com/foaf/0.1/> ; x = fn:xpath("//p:name/text()", ex:xml) ;',
    );
    assert.deepEqual(fields['x'], ['"N"']);
  });

  it('only warns if the expression or the document is malformed', () => {
    const calls = ['"//a[", ex:xml', '"//nosuch:a", ex:xml', '"$v", ex:xml', '"document(\'x\')", ex:xml'];
    for (const call of [...calls, '"//a", ex:bad', '"//a", ex:entity', '"//a", ex:unbound', '"//a"']) {
      const { fields, warnings } = run(data, 't', `x = fn:xpath(${call}) ;`);
      assert.deepEqual([fields['x'], warnings.length], [[], 1], call);
    }
  });

  it('rejects document type declarations', () => {
    const { fields, warnings } = run(data, 't', 'x = fn:xpath("//r", ex:dtd) ;');
    assert.deepEqual(fields['x'], []);
    assert.match(warnings[0]!.message, /document type declaration/);
  });
});

describe('XML documents', () => {
  const refused: readonly (readonly [string, string])[] = [
    ['are too long', `<a>${'x'.repeat(1024 * 1024)}</a>`],
    ['have too many nodes', `<a>${'<b/>'.repeat(100_000)}</a>`],
    ['have too many attributes', `<a ${Array.from({ length: 100_001 }, (_, i) => `a${i}=''`).join(' ')}/>`],
    ['are too deep', '<a>'.repeat(1000)],
  ];
  for (const [what, xml] of refused) {
    it(`exceed the budget if they ${what}`, () => {
      assert.equal(errorOf(() => select(of(xml), 'd', 'fn:xpath("/*", ex:xml)')).code, 'budget-exceeded');
    });
  }

  it('cannot be searched forever', () => {
    const graph = of(`<r>${'<a><b/></a>'.repeat(3000)}</r>`);
    for (const expression of [
      '//*[//*[//*]]',
      '//*/..//*/..//*',
      '//*/preceding::*',
      '//*[string(/) = string(/*)]',
    ]) {
      const search = () => select(graph, 'd', `fn:xpath("${expression}", ex:xml)`, { steps: 100_000 });
      assert.equal(errorOf(search).code, 'budget-exceeded', expression);
    }
  });
});

describe('functions on marked-up text', () => {
  it('remove tags, including those with ">" in quotes', () => {
    const cases = {
      "<a href='>'>x</a> &amp; y": 'x &amp; y',
      'a < b <br>': 'a ',
      'a < b': 'a < b',
      '<a "x> <b>y': ' y',
      "<a title=it's>x</a> don't": "x don't",
      "<a title=it's> '": " '",
      '<a "x': '<a "x',
      '<<<a>x': 'x',
      '<a title=">" b=\'"\'>t': 't',
      '<>': '',
    };
    for (const [text, expected] of Object.entries(cases)) assert.equal(removeTags(text), expected, text);
  });

  it('remove tags in linear time', () => {
    for (const piece of ['<', '<"', '<a "\'', '<\'"']) {
      ending(() => removeTags(piece.repeat(8_000_000 / piece.length)));
    }
  });

  it('resolve the five entities and numeric references exactly once', () => {
    assert.equal(xmlUnescape('&lt;&amp;lt;&#65;&#x1F600;&#X41;&eacute;&quot;&apos;'), '<&lt;A😀A&eacute;"\'');
    assert.equal(
      xmlUnescape('&#0;&#xD800;&#x110000;&#99999999999999;&;&lt'),
      '&#0;&#xD800;&#x110000;&#99999999999999;&;&lt',
    );
  });

  it('accept several values, or use the context node', () => {
    const graph = graphOf('ex:d ex:a "<i>1</i>" ; ex:b "&#50;" .');
    assert.deepEqual(select(graph, 'd', 'fn:xmlText(ex:a, ex:b)'), ['"1"', '"2"']);
    assert.deepEqual(select(graph, 'd', 'ex:a/fn:removeTags()'), ['"1"']);
    assert.deepEqual(select(graph, 'd', 'fn:xmlUnescape(ex:missing)'), []);
  });
});
