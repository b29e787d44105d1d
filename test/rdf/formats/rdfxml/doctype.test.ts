import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { parseError, quads } from '../documents.ts';

const XML = 'application/rdf+xml';
const root = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"></rdf:RDF>';
const doctype = '<!DOCTYPE rdf:RDF>';

test('a document type declaration is accepted only once, and before the root element', () => {
  assert.deepEqual(quads(`${doctype}${root}`, XML), []);
  for (const text of [`${doctype}${doctype}${root}`, `${root}${doctype}`, `${doctype}${root}${doctype}`]) {
    const { code, message, details } = parseError(text, XML);
    assert.equal(code, 'parse-error');
    assert.match(message, /Unexpected declaration/);
    assert.equal(details?.column, text.lastIndexOf(doctype) + 1);
  }
});

test('an error that mentions a declaration is not one of a declaration', () => {
  const twice = 'xmlns:a="inappropriately located doctype" xmlns:b="inappropriately located doctype"';
  const { message, details } = parseError(`<e ${twice} a:x="" b:x=""/>`, XML);
  assert.match(message, /^XML: duplicate attribute/);
  assert.ok(details.column! > twice.length);
});

/** Returns a document whose declaration has this internal subset, with a text and an attribute. */
function declaring(subset: string, text = '&x;', attribute = ''): string {
  return `<!DOCTYPE rdf:RDF [${subset}]><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:"><rdf:Description rdf:about="urn:a" ${attribute}><e:p>${text}</e:p></rdf:Description></rdf:RDF>`;
}

const values = (document: string) =>
  quads(document, XML).map((quad) => JSON.parse(quad.slice(quad.indexOf('"'), -2)));

describe('entity declarations', () => {
  const x = '<!ENTITY x "y">';
  for (const [what, subset] of [
    ['after a commented one of the same name', `<!-- <!ENTITY x "z"> -->${x}`],
    ['after a commented one that is not supported', `<!-- <!ENTITY z SYSTEM "z"> -->${x}`],
    ['after one in a processing instruction', `<?p <!ENTITY x "z"> ?>${x}`],
    ['after a quote in a processing instruction', `<?p it's?>${x}`],
    ['after a quote in a comment', `<!-- it's -->${x}`],
    ['before a comment that looks closed', `${x}<!--> <!ENTITY z "z"> -->`],
    ['after one in a text', `<!ENTITY z '<!ENTITY x "&#37;">'>${x}`.replace('<!ENTITY x', '!ENTITY x')],
    ['after other declarations', `<!ELEMENT r (#PCDATA)><!ATTLIST r a CDATA "<!ENTITY x 'z'>">${x}`],
    ['before another one of the same name', `${x}<!ENTITY x "z">`],
  ] as const) {
    it(`count ${what}`, () => assert.deepEqual(values(declaring(subset)), ['y']));
  }

  it('do not count in comments', () => {
    assert.match(parseError(declaring('<!--> <!ENTITY x "y"> -->'), XML).message, /undefined entity/);
  });

  it('may be mentioned in the document', () => {
    assert.deepEqual(values(declaring(x, '<![CDATA[<!ENTITY]]><!-- <!ENTITY -->')), ['<!ENTITY']);
  });

  it('may have long names, many zeros, and names of properties of objects', () => {
    const long = 'n'.repeat(300);
    assert.deepEqual(values(declaring(`<!ENTITY ${long} "y">`, `&${long};`)), ['y']);
    assert.deepEqual(values(declaring('<!ENTITY x "&#0000000065;&#x0000000042;">')), ['AB']);
    assert.deepEqual(values(declaring('<!ENTITY __proto__ "y">', '&__proto__;')), ['y']);
    assert.match(parseError(declaring('', '&constructor;'), XML).message, /undefined entity/);
  });

  it('normalise line ends, and white space in attributes that is not escaped twice', () => {
    const lines = '<!ENTITY x "a\r\nb&#10;c&#38;#10;d&#13;e">';
    assert.deepEqual(values(declaring(lines)), ['a\nb\nc\nd\re']);
    assert.deepEqual(values(declaring(lines, '', 'e:q="&x;"')), ['a b c\nd e', '']);
  });

  it('can only confirm what predefined entities stand for', () => {
    const standard =
      '<!ENTITY lt "&#38;#60;"><!ENTITY gt "&#62;"><!ENTITY amp "&#38;#38;"><!ENTITY apos "&#39;"><!ENTITY quot "&#34;">';
    assert.deepEqual(values(declaring(standard, '&lt;&gt;&amp;&apos;&quot;')), [`<>&'"`]);
    for (const name of ['lt', 'gt', 'amp', 'apos', 'quot']) {
      const { code, message } = parseError(declaring(`<!ENTITY ${name} "evil">`, ''), XML);
      assert.equal(code, 'parse-error');
      assert.match(message, /can only stand for/);
    }
  });

  for (const [subset, message] of [
    ['<!ENTITY x "http://a/%20">', /Write "%" as &#37;/],
    ['<!ENTITY x "&amp;">', /refer to entities/],
    ['<!ENTITY x "&#38;amp;">', /refer to entities/],
    ['<!ENTITY x "&#60;b/>">', /markup/],
    ['<!ENTITY x "&#1;">', /reference to a character/],
    ['<!ENTITY x "&#x110000;">', /reference to a character/],
    ['<!ENTITY x SYSTEM "y">', /internal/],
    ['<!ENTITY % x "y">', /internal/],
    ['<!ENTITY x "y" NDATA z>', /Malformed/],
    ['<!ENTITY x y>', /Malformed/],
  ] as const) {
    it(`are rejected with their position: ${subset}`, () => {
      const error = parseError(declaring(`<!-- é -->\r\n  ${subset}`), XML);
      assert.match(error.message, message);
      assert.deepEqual([error.code, error.details.line, error.details.column], ['parse-error', 2, 3]);
    });
  }

  it('have a position after comments and processing instructions that mention them', () => {
    const prolog = '<!--> <!DOCTYPE -->\n<?p <!DOCTYPE?><!-- <!DOCTYPE -->\n';
    const { details } = parseError(`${prolog}${declaring('\n<!ENTITY x SYSTEM "y">')}`, XML);
    assert.deepEqual([details.line, details.column], [4, 1]);
  });
});
