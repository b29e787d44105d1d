import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LengthyDocumentError } from '../../../../src/rdf/formats/unfolding-budget.ts';
import { ending } from '../../../support/ending.ts';
import { parse, parseError, quads } from '../documents.ts';

const XML = 'application/rdf+xml';
const OPEN = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:">';
const xml = (content: string) => `${OPEN}${content}</rdf:RDF>`;
const literal = (content: string, attributes = '') =>
  `<rdf:Description><e:p rdf:parseType="Literal"${attributes}>${content}</e:p></rdf:Description>`;

const error = (document: string) => ending(() => parseError(document, XML));

describe('the limits of RDF/XML', () => {
  const deep = `${OPEN}${'<e:a><e:p>'.repeat(2000)}${'</e:p></e:a>'.repeat(2000)}</rdf:RDF>`;
  for (const [what, document] of [
    ['a comment that looks closed', `<!--> <a b='-->${deep}<!--' />  -->`],
    ['a quote in an instruction of the declaration', `<!DOCTYPE a [<?x '?>]>${deep}<!--'?>]><root/>-->`],
    ['a comment of the declaration that looks closed', `<!DOCTYPE a [<!--> ' -->]>${deep}<!--'-->`],
  ] as const) {
    it(`apply to nesting after ${what} (G-134)`, () => {
      const { code, message } = error(document);
      assert.deepEqual([code, message], ['parse-error', 'Nested deeper than 1024 levels']);
    });
  }

  it('apply to entities with long names (G-134)', () => {
    const name = 'n'.repeat(300);
    const uses = `&${name};`.repeat(200);
    const document = `<!DOCTYPE a [<!ENTITY ${name} "${'x'.repeat(100_000)}">]>\n${xml(`<!-- -->\n<rdf:Description><e:p>${uses}</e:p></rdf:Description>`)}`;
    const { code, message, details } = error(document);
    assert.equal(code, 'too-large');
    assert.match(message, /^Entities expand to more than/);
    assert.equal(details.line, 3);
  });

  it('apply to entities in attributes, at the tag', () => {
    const use = `<rdf:Description e:p="${'&x;'.repeat(200)}"/>`;
    const { code, details } = error(
      `<!DOCTYPE a [<!ENTITY x "${'x'.repeat(100_000)}">]>\n${xml(`\n ${use}`)}`,
    );
    assert.deepEqual([code, details.line, details.column], ['too-large', 3, 2]);
  });

  it('apply to XML literals while they grow (G-134)', () => {
    const namespace = ` xmlns:a="http://${'u'.repeat(240)}"`;
    const { code, message, details } = error(xml(literal(`\n<c>${'<a:b/>'.repeat(100_000)}</c>`, namespace)));
    assert.deepEqual([code, details.line], ['too-large', 2]);
    assert.match(message, /^A triple of 157\d{5} bytes is too long/);
  });

  it('apply to the text of a property while it grows', () => {
    const pieces = `${'x'.repeat(1_000_000)}<!-- -->`.repeat(20);
    const { code, message } = error(xml(`<rdf:Description><e:p>${pieces}</e:p></rdf:Description>`));
    assert.equal(code, 'too-large');
    assert.match(message, /^A triple of 16000000 bytes is too long/);
  });

  it('apply to one piece of markup or text', () => {
    const { code, message, details } = error(`<!--${' '.repeat(2 ** 26 + 2 ** 17)}-->${xml('')}`);
    assert.deepEqual([code, details.line], ['too-large', 1]);
    assert.match(message, /^Text or markup is longer/);
  });

  it('allow many XML literals in the scope of many namespaces', () => {
    const namespaces = Array.from({ length: 60 }, (_, i) => ` xmlns:n${i}="urn:${i}"`).join('');
    const property = '<e:p rdf:parseType="Literal"><b>text</b></e:p>';
    const document = `<rdf:RDF${namespaces}${OPEN.slice('<rdf:RDF'.length)}<rdf:Description>${property.repeat(16_500)}</rdf:Description></rdf:RDF>`;
    assert.equal(quads(document, XML).length, 16_500);
  });

  it('do not count deep nesting as brief', () => {
    const attributes = Array.from({ length: 13 }, (_, i) => ` e:a${i}=""`).join('');
    const tags = `<e:p><e:a${attributes}/></e:p>`.repeat(380);
    const nested = (levels: number) =>
      xml(`${'<e:a><e:p>'.repeat(levels)}<e:a>${tags}</e:a>${'</e:p></e:a>'.repeat(levels)}`);
    parse(nested(1), XML, { brief: true });
    assert.throws(() => parse(nested(508), XML, { brief: true }), LengthyDocumentError);
    parse(nested(508), XML);
  });
});

describe('positions in a document of several chunks', () => {
  it('are right in long lines, and where a line end is split', () => {
    for (const size of [65_536, 65_537, 131_072, 200_000]) {
      for (const filler of ['x', 'é', '\u{1f600}']) {
        const before = `<!--${filler.repeat(size / Buffer.byteLength(filler))}-->`;
        const { details } = error(`${before}\r\n${before}<a:b/>`);
        assert.deepEqual([details.line, details.column], [2, before.length + 6]);
      }
    }
    for (let size = 65_520; size < 65_540; size++) {
      const { details } = error(`<!--${' '.repeat(size)}-->\r\n\r\n <a:b/>`);
      assert.deepEqual([details.line, details.column], [3, 7]);
    }
  });
});
