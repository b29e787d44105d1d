import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';

function literals(document: unknown): string[] {
  const text = typeof document === 'string' ? document : JSON.stringify(document);
  return quads(text, JSON_LD).map((line) => /"[^ ]*/.exec(line)![0]);
}

describe('language tags in JSON-LD', () => {
  it('keep their case as values of @language', () => {
    assert.deepEqual(literals({ '@id': 'urn:a', 'urn:p': { '@value': 'EN-us', '@language': 'en-US' } }), [
      '"EN-us"@en-US',
    ]);
    const context = { '@language': 'de-AT', p: 'urn:p', en: 'urn:en', Fr: 'urn:fr' };
    assert.deepEqual(literals({ '@context': context, '@id': 'urn:a', p: ['de-at', 'x'] }), [
      '"de-at"@de-AT',
      '"x"@de-AT',
    ]);
    assert.deepEqual(literals('{"@id":"urn:a","urn:p":{"@value":"\\"","@language" : "e\\u006e-US"}}'), [
      '"\\""@en-US',
    ]);
  });

  it('keep it as keys of language maps, and as values of keys that mean @language', () => {
    const map = { '@context': { p: { '@id': 'urn:p', '@container': '@language' } }, '@id': 'urn:a' };
    assert.deepEqual(literals({ ...map, p: { 'zh-Hans': 'x', de: 'y' } }), ['"x"@zh-Hans', '"y"@de']);
    const alias = { '@context': { lang: '@language', v: '@value' }, '@id': 'urn:a' };
    assert.deepEqual(literals({ ...alias, 'urn:p': { v: 'x', lang: 'en-GB' } }), ['"x"@en-GB']);
  });

  it('are in lower case where strings of the document differ, and the values of @language do not decide', () => {
    const map = {
      '@context': { p: { '@id': 'urn:p', '@container': '@language' }, No: 'urn:no' },
      '@id': 'urn:a',
    };
    assert.deepEqual(literals({ ...map, p: { no: 'x' }, No: 'y' }), ['"y"', '"x"@no'].toSorted());
    assert.deepEqual(
      literals({ ...map, p: { EN: 'x' }, No: { '@value': 'y', '@language': 'en' } }).toSorted(),
      ['"x"@en', '"y"@en'],
    );
  });

  it('are not spelled by other letters with the same lower case', () => {
    const json = '{"@type":"@json","@value":{"@language":"\\u212Ao"}}';
    const tagged = '{"@value":"x","@language":"ko"}';
    assert.ok(literals(`{"@id":"urn:a","urn:j":${json},"urn:p":${tagged}}`).includes('"x"@ko'));
  });

  it('change nothing else', () => {
    assert.deepEqual(literals({ '@id': 'urn:a', 'urn:p': 'en-US' }), ['"en-US"']);
    assert.deepEqual(
      literals({ '@id': 'urn:a', 'urn:p': [{ '@value': 'mailto:a@EN', '@language': 'en' }, 'x@EN'] }),
      ['"mailto:a@EN"@en', '"x@EN"'],
    );
  });
});
