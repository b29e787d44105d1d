import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contextPrefixes } from '../../../../src/rdf/formats/jsonld/context-prefixes.ts';

function prefixesOf(document: string): string[] {
  const { text } = contextPrefixes(Buffer.from(document));
  return text === '' ? [] : text.split('\n');
}

describe('prefixes in the context of a JSON-LD document (G-56)', () => {
  it('are those of the first object, wherever its context stands', () => {
    const inner = '{"@context": {"b": "http://b.example/"}}';
    const document = `[{"@graph": [${inner}], "\\u0040context": {"a": "http://a.example/"}}, ${inner}]`;
    assert.deepEqual(prefixesOf(document), ['a http://a.example/']);
  });

  it('are terms for namespaces, not for other IRIs', () => {
    const terms = '"n": "http://n.example/name", "p": {"@id": "http://p.example/", "@prefix": true}';
    const others = '"q": {"@id": "http://q.example/"}, "@vocab": "http://v.example/", "r": null';
    assert.deepEqual(prefixesOf(`{"@context": {${terms}, ${others}}}`), ['p http://p.example/']);
  });

  it('have no compact IRIs as namespaces, also of other contexts in a list', () => {
    const document =
      '{"@context": [{"a": "http://a.example/"}, {"b": "a:b/", "c": "b:c#"}, "http://remote.example/"]}';
    assert.deepEqual(prefixesOf(document), ['a http://a.example/']);
  });

  it('are not there in documents without an object or a context', () => {
    for (const document of ['[]', '{}', '["{"]', '{"@context": null}']) {
      assert.deepEqual(prefixesOf(document), [], document);
    }
  });
});
