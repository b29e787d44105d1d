import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ending } from '../../support/ending.ts';
import { fault, quads } from '../formats/documents.ts';

const XML = 'application/rdf+xml';
const JSON_LD = 'application/ld+json';
const HEAD = '<?xml version="1.0"?>\n';
const ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">';

function xml(content: string, before = HEAD): string {
  return `${before}${ROOT}${content}</rdf:RDF>`;
}

function property(value: string): string {
  return `<rdf:Description rdf:about="urn:a"><e:p>${value}</e:p></rdf:Description>`;
}

describe('RDF/XML', () => {
  it('is read with fresh blank nodes and relative IRIs resolved', () => {
    const description =
      '<rdf:Description rdf:about="x"><e:p rdf:nodeID="n"/><e:q xml:lang="EN">v</e:q></rdf:Description>';
    assert.deepEqual(quads(xml(description), XML), [
      '<http://base.example/dir/x> <urn:e:p> _:0 .',
      '<http://base.example/dir/x> <urn:e:q> "v"@en .',
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
    assert.equal(fault(xml(''), XML, { charset: 'nonsense' }).code, 'unsupported-media-type');
  });

  const positions: readonly (readonly [string, string, number, number])[] = [
    ['a wrong end tag', xml('\n<e:T>\n<e:p>x</e:q></e:T>'), 4, 12],
    ['an unknown prefix', xml('\n<f:T/>'), 3, 6],
    ['an unknown entity', xml(`\n${property('&nope;')}`), 3, 47],
    ['text in a wrong place', xml('\n text'), 3, 6],
    ['a cut document', `${HEAD}${ROOT}\n<e:T>`, 3, 6],
    ['a cut tag', `${HEAD}${ROOT}\n<e:T`, 3, 1],
    ['a second root', `${xml('')}\n<a/>`, 3, 1],
    ['no root', `${HEAD}text`, 2, 5],
    ['a bad IRI', xml('\n<e:T rdf:about="urn:a b"/>'), 3, 26],
  ];
  for (const [what, text, line, column] of positions) {
    it(`is refused with its position: ${what}`, () => {
      const { code, details } = fault(text, XML);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  it('may define entities that stand for text', () => {
    const declaration = `${HEAD}<!DOCTYPE rdf:RDF [\n<!ENTITY e "urn:e:">\n]>`;
    assert.deepEqual(quads(xml(property('&e;x'), declaration), XML), ['<urn:a> <urn:e:p> "urn:e:x" .']);
  });

  it('fetches no external subset', () => {
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
    it(`does not read ${what} (G-46)`, () => {
      const error = ending(() => fault(xml(property('&x;'), `${HEAD}${declaration}`), XML));
      assert.equal(error.code, 'parse-error');
    });
  }

  it('bounds what entities unfold to (G-46)', () => {
    const declaration = `${HEAD}<!DOCTYPE r [<!ENTITY x "${'x'.repeat(100_000)}">]>`;
    const error = ending(() => fault(xml(property('&x;'.repeat(1_000_000)), declaration), XML));
    assert.equal(error.code, 'too-large');
  });

  it('bounds nesting', () => {
    const depth = 1_000_000;
    const nested = `${'<e:T><e:p>'.repeat(depth)}${'</e:p></e:T>'.repeat(depth)}`;
    assert.match(ending(() => fault(xml(nested), XML)).message, /^Nested deeper/);
  });

  it('refuses triple terms of RDF 1.2', () => {
    const text = xml('<e:T rdf:about="urn:a"><e:p rdf:parseType="Triple"/></e:T>');
    assert.match(fault(text, XML).message, /RDF 1\.2/);
  });
});

describe('JSON-LD', () => {
  it('is read with its graph names', () => {
    const document = { '@id': 'urn:g', '@graph': [{ '@id': 'x', 'urn:p': [{ '@id': '_:n' }, 'v'] }] };
    assert.deepEqual(quads(JSON.stringify(document), JSON_LD), [
      '<http://base.example/dir/x> <urn:p> _:0 <urn:g> .',
      '<http://base.example/dir/x> <urn:p> "v" <urn:g> .',
    ]);
  });

  const remote = 'http://127.0.0.1:9/context';
  const contexts: readonly (readonly [string, unknown])[] = [
    ['named', remote],
    ['in a list', [{ a: 'urn:a' }, remote]],
    ['relative', 'context.jsonld'],
    ['imported', { '@version': 1.1, '@import': remote }],
    ['of a term', { a: { '@id': 'urn:a', '@context': remote } }],
  ];
  for (const [how, context] of contexts) {
    it(`does not fetch a context that is ${how} (G-45)`, () => {
      assert.equal(fault(JSON.stringify({ '@context': context, a: 1 }), JSON_LD).code, 'remote-context');
    });
  }

  const positions: readonly (readonly [string, string, number, number])[] = [
    ['a missing value', '{\n "@id": "urn:x",\n "a": }', 3, 7],
    ['a cut document', '{\n "@id"', 2, 7],
    ['an empty document', '', 1, 1],
    ['a wrong kind of value', '{"urn:p": 1,\n "@id": 5}', 2, 10],
    ['deep nesting', `${'['.repeat(300)}${']'.repeat(300)}`, 1, 257],
  ];
  for (const [what, text, line, column] of positions) {
    it(`is refused with its position: ${what}`, () => {
      const { code, details } = fault(text, JSON_LD);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  it('is refused with text direction', () => {
    const value = { '@value': 'x', '@language': 'en', '@direction': 'ltr' };
    assert.match(fault(JSON.stringify({ '@id': 'urn:a', 'urn:p': value }), JSON_LD).message, /RDF 1\.2/);
  });

  it('can still be read after a document has broken the parser', () => {
    const terms = Array.from({ length: 4500 }, (_, index) => [`t${index + 1}`, { '@id': `t${index}:x` }]);
    const chain = { '@context': Object.fromEntries([['t0', 'urn:x:'], ...terms]), t4500: 1 };
    const { code, message } = fault(JSON.stringify(chain), JSON_LD);
    assert.deepEqual(
      [code, message],
      ['too-large', 'The document exceeds the memory or stack of the parser'],
    );
    assert.equal(quads('{"@id":"urn:a","urn:p":1}', JSON_LD).length, 1);
  });

  it('stops when it is asked to', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => ({ '@id': `urn:${index}`, 'urn:p': index }));
    let reports = 0;
    const options = { onProgress: () => reports++, shouldStop: () => reports === 3 };
    assert.equal(fault(JSON.stringify(nodes), JSON_LD, options).code, 'cancelled');
    assert.equal(reports, 3);
  });
});
