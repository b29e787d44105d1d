import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ending } from '../../../support/ending.ts';
import { parseError, quads } from '../documents.ts';

const XML = 'application/rdf+xml';
const HEAD = '<?xml version="1.0"?>\n';
const ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">';

function xml(content: string, before = HEAD): string {
  return `${before}${ROOT}${content}</rdf:RDF>`;
}

function property(value: string): string {
  return `<rdf:Description rdf:about="urn:a"><e:p>${value}</e:p></rdf:Description>`;
}

describe('RDF/XML', () => {
  it('is parsed with fresh blank nodes and resolved IRIs', () => {
    const description =
      '<rdf:Description rdf:about="x"><e:p rdf:nodeID="n"/><e:q xml:lang="EN">v</e:q></rdf:Description>';
    assert.deepEqual(quads(xml(description), XML), [
      '<http://base.example/dir/x> <urn:e:p> _:0 .',
      '<http://base.example/dir/x> <urn:e:q> "v"@EN .',
    ]);
  });

  it('is decoded by the charset of the header, the byte order mark or the declaration (G-61)', () => {
    const expected = ['<urn:a> <urn:e:p> "é" .'];
    const declared = '<?xml version="1.0" encoding="ISO-8859-1"?>';
    assert.deepEqual(quads(Buffer.from(xml(property('é'), declared), 'latin1'), XML), expected);
    assert.deepEqual(
      quads(Buffer.from(xml(property('é')), 'latin1'), XML, { charset: 'iso-8859-1' }),
      expected,
    );
    assert.deepEqual(quads(xml(property('é'), declared), XML, { charset: 'utf-8' }), expected);
    assert.deepEqual(quads(Buffer.from(`\ufeff${xml(property('é'))}`, 'utf16le'), XML), expected);
    assert.equal(parseError(xml(''), XML, { charset: 'nonsense' }).code, 'unsupported-media-type');
  });

  const positions: readonly (readonly [string, string, number, number])[] = [
    ['a wrong end tag', xml('\n<e:T>\n<e:p>x</e:q></e:T>'), 4, 12],
    ['an unknown prefix', xml('\n<f:T/>'), 3, 6],
    ['an unknown entity', xml(`\n${property('&nope;')}`), 3, 46],
    ['text in a wrong place', xml('\n text'), 3, 6],
    ['a cut document', `${HEAD}${ROOT}\n<e:T>`, 3, 6],
    ['a cut tag', `${HEAD}${ROOT}\n<e:T`, 3, 1],
    ['a second root', `${xml('')}\n<a/>`, 3, 1],
    ['no root', `${HEAD}text`, 2, 5],
    ['a bad IRI', xml('\n<e:T rdf:about="urn:a b"/>'), 3, 26],
  ];
  for (const [what, text, line, column] of positions) {
    it(`is rejected with a position: ${what}`, () => {
      const { code, details } = parseError(text, XML);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  it('may define text entities', () => {
    const declaration = `${HEAD}<!DOCTYPE rdf:RDF [\n<!ENTITY e "urn:e:">\n]>`;
    assert.deepEqual(quads(xml(property('&e;x'), declaration), XML), ['<urn:a> <urn:e:p> "urn:e:x" .']);
  });

  it('expands entities in IRIs of resources and namespaces', () => {
    const declaration = `${HEAD}<!DOCTYPE rdf:RDF [<!ENTITY e "urn:e:">]>`;
    const text = xml('<f:T xmlns:f="&e;" rdf:about="&e;x"/>', declaration);
    assert.deepEqual(quads(text, XML), [
      '<urn:e:x> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:e:T> .',
    ]);
  });

  it('ignores an external subset without fetching it', () => {
    const declaration = `${HEAD}<!DOCTYPE rdf:RDF SYSTEM "http://127.0.0.1:9/x.dtd">`;
    assert.equal(quads(xml(property('x'), declaration), XML).length, 1);
  });

  const declarations: readonly (readonly [string, string])[] = [
    ['external entities', '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'],
    ['external parameter entities', '<!DOCTYPE r [<!ENTITY % x SYSTEM "file:///etc/passwd"> %x;]>'],
    ['entities that refer to entities', '<!DOCTYPE r [<!ENTITY a "a"><!ENTITY x "&a;&a;">]>'],
    ['entities in an unusual form', '<!DOCTYPE r [<!ENTITYx "&x;">]>'],
    ['entities in a declaration in small letters', '<!doctype r [<!ENTITY a "a"><!ENTITY x "&a;">]>'],
    ['two declarations', '<!DOCTYPE r><!DOCTYPE r [<!ENTITY x "x">]>'],
    ['a declaration that does not end', `<!DOCTYPE r [${'<!--'.repeat(2_000_000)}`],
  ];
  for (const [what, declaration] of declarations) {
    it(`never reads ${what} (G-46)`, () => {
      const error = ending(() => parseError(xml(property('&x;'), `${HEAD}${declaration}`), XML));
      assert.equal(error.code, 'parse-error');
    });
  }

  it('limits the expansion of entities (G-46)', () => {
    const declaration = `${HEAD}<!DOCTYPE r [<!ENTITY x "${'x'.repeat(100_000)}">]>`;
    const error = ending(() => parseError(xml(property('&x;'.repeat(1_000_000)), declaration), XML));
    assert.equal(error.code, 'too-large');
  });

  it('limits nesting', () => {
    const depth = 1_000_000;
    const nested = `${'<e:T><e:p>'.repeat(depth)}${'</e:p></e:T>'.repeat(depth)}`;
    assert.match(ending(() => parseError(xml(nested), XML)).message, /^Nested deeper/);
  });

  for (const attribute of ['rdf:parseType="Triple"', "r:parseType = 'Tr&#105;ple'"]) {
    it(`rejects triple terms without rdf:version: ${attribute}`, () => {
      const namespace = 'xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#"';
      const text = xml(`<e:T rdf:about="urn:a"><e:p ${namespace} ${attribute}/></e:T>`);
      const { message, details } = parseError(text, XML);
      assert.match(message, /needs the attribute rdf:version="1\.2"/);
      assert.deepEqual(details, {
        line: 2,
        column: text.split('\n')[1]!.indexOf('parseType') + 1,
        source: 'body',
      });
    });
  }

  it('accepts text that only looks like a triple term', () => {
    const text = 'parseType="Triple"';
    const document = xml(
      `<!-- ${text} --><e:T rdf:about="urn:a" e:parseType="Triple"><e:p>${text}</e:p></e:T>`,
    );
    assert.equal(quads(document, XML).length, 3);
  });

  it('normalises line ends and attribute values according to XML', () => {
    const document = xml(
      '<rdf:Description rdf:about="urn:a" e:q="a\r\nb\tc&#10;d">\r\n<e:p>1\r\n2\r3\n4&#13;</e:p></rdf:Description>',
    );
    assert.deepEqual(quads(document, XML), [
      '<urn:a> <urn:e:q> "a b c\\nd" .',
      '<urn:a> <urn:e:p> "1\\n2\\n3\\n4\\r" .',
    ]);
  });

  for (const text of [
    '&#1;',
    '\u0001',
    '&#xFFFE;',
    '\uffff',
    ']]>',
    '<!-- a -- b -->',
    '<?xml version="1.0"?>',
  ]) {
    it(`rejects malformed XML: ${JSON.stringify(text)}`, () => {
      const { code, details } = parseError(xml(property(text)), XML);
      assert.equal(code, 'parse-error');
      assert.equal(details.line, 2);
      assert.ok(details.column! > ROOT.length);
    });
  }

  for (const attributes of ['e:a="<"', 'e:a="1" f:a="2" xmlns:f="urn:e:"', 'e:a="1"e:b="2"', 'xmlns:g=""']) {
    it(`rejects a malformed tag: ${attributes}`, () => {
      const { code } = parseError(xml(`<rdf:Description rdf:about="urn:a" ${attributes}/>`), XML);
      assert.equal(code, 'parse-error');
    });
  }

  it('expands escaped markup characters to text, and rejects an entity that contains markup', () => {
    const declare = (text: string) => `${HEAD}<!DOCTYPE rdf:RDF [<!ENTITY x "${text}">]>`;
    assert.deepEqual(quads(xml(property('&x;'), declare('&#38;#60;é&#38;#x26;')), XML), [
      '<urn:a> <urn:e:p> "<é&" .',
    ]);
    assert.match(parseError(xml(property('&x;'), declare('&#60;b/>')), XML).message, /markup/);
  });

  it('writes XML literals in exclusive canonical form', () => {
    const markup =
      '<a xmlns="urn:d" e:z="1" b="&quot;&#9;"><e:c/><b xmlns=""/></a><!-- c --><?p i?><![CDATA[<]]>';
    const text = xml(`<e:T rdf:about="urn:a"><e:p rdf:parseType="Literal">${markup}</e:p></e:T>`);
    const canonical =
      '<a xmlns="urn:d" xmlns:e="urn:e:" b="&quot;&#x9;" e:z="1"><e:c></e:c><b xmlns=""></b></a><!-- c --><?p i?>&lt;';
    assert.deepEqual(quads(text, XML).slice(1), [
      `<urn:a> <urn:e:p> ${JSON.stringify(canonical)}^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#XMLLiteral> .`,
    ]);
  });

  it('removes the language with an empty xml:lang', () => {
    const text = xml('<e:T rdf:about="urn:a" xml:lang="en"><e:p xml:lang="">v</e:p><e:p>w</e:p></e:T>');
    assert.deepEqual(quads(text, XML).slice(1), ['<urn:a> <urn:e:p> "v" .', '<urn:a> <urn:e:p> "w"@en .']);
  });

  const rejected: readonly (readonly [string, RegExp])[] = [
    ['<e:p rdf:resource="x">text</e:p>', /Text is not allowed/],
    ['<e:p rdf:resource="x"><e:T/></e:p>', /attributes for a value/],
    ['<e:p rdf:resource="x" rdf:nodeID="n"/>', /more than one value/],
    ['<e:p><e:T/><e:T/></e:p>', /second resource/],
    ['<e:p rdf:parseType="Literal" rdf:resource="x"/>', /beside other attributes/],
    ['<e:p rdf:ID="i"/><e:p rdf:ID="i"/>', /Another element/],
    ['<e:p rdf:nodeID="a:b"/>', /without a colon/],
    ['<rdf:Description/>', /not allowed as a property/],
    ['<p/>', /no namespace/],
    ['<e:p foo="x"/>', /no namespace/],
    ['<e:p xml:lang="en_US"/>', /language tag/],
    ['<e:p rdf:about="z">t</e:p>', /rdf:about is not allowed/],
    ['<e:p rdf:about="z"/>', /rdf:about is not allowed/],
    ['<e:p rdf:about="z" rdf:parseType="Resource"/>', /rdf:about is not allowed/],
    ['<e:p rdf:datatype="urn:d" e:q="v"/>', /more than one value/],
    ['<e:p rdf:datatype="urn:d" rdf:resource="x"/>', /more than one value/],
    ['<e:p><e:T about="1" rdf:about="2"/></e:p>', /occurs twice/],
    ['<e:p resource="1" rdf:resource="2"/>', /occurs twice/],
  ];
  for (const [content, message] of rejected) {
    it(`rejects ${content}`, () => {
      const {
        code,
        message: actual,
        details,
      } = parseError(xml(`\n<rdf:Description rdf:about="urn:a">${content}</rdf:Description>`), XML);
      assert.deepEqual([code, details.line], ['parse-error', 3]);
      assert.match(actual, message);
    });
  }

  for (const attribute of ['e:v="lost"', 'rdf:about="x"', 'rdf:type="x"']) {
    it(`rejects ${attribute} in rdf:RDF`, () => {
      const { code, message, details } = parseError(
        `${HEAD}${ROOT.replace('>', ` ${attribute}>`)}</rdf:RDF>`,
        XML,
      );
      assert.deepEqual([code, details.line], ['parse-error', 2]);
      assert.match(message, /can only have xml:lang and xml:base/);
    });
  }

  it('accepts xml:lang and xml:base in rdf:RDF', () => {
    const root = ROOT.replace('>', ' xml:lang="en" xml:base="urn:b">');
    assert.deepEqual(quads(`${root}<rdf:Description rdf:about="#a" e:v="x"/></rdf:RDF>`, XML), [
      '<urn:b#a> <urn:e:v> "x"@en .',
    ]);
  });
});
