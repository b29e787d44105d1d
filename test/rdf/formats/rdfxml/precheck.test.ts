import assert from 'node:assert/strict';
import { test } from 'node:test';
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
