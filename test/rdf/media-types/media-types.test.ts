import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatByMediaType,
  formatByShortName,
  parseContentType,
  readableTypes,
} from '../../../src/rdf/media-types/media-types.ts';

describe('formats', () => {
  it('are found by media type and alias, in upper and lower case (G-40)', () => {
    assert.equal(formatByMediaType('Text/Turtle', 'rdfjson', 'input')?.shortName, 'turtle');
    assert.equal(formatByMediaType('text/x-nquads', 'rdfjson', 'output')?.shortName, 'nq');
  });

  it('map text/plain to N-Triples for input only', () => {
    assert.equal(formatByMediaType('text/plain', 'rdfjson', 'input')?.shortName, 'nt');
    assert.equal(formatByMediaType('text/plain', 'rdfjson', 'output'), undefined);
  });

  it('map application/json as the endpoint does (G-43)', () => {
    assert.equal(formatByMediaType('application/json', 'rdfjson', 'input')?.shortName, 'rdfjson');
    assert.equal(formatByMediaType('application/json', 'jsonld', 'input')?.shortName, 'jsonld');
    assert.equal(formatByShortName('JSON', 'jsonld')?.shortName, 'jsonld');
  });

  it('are not found by the names of built-in object properties', () => {
    assert.equal(formatByShortName('constructor', 'rdfjson'), undefined);
    assert.equal(formatByMediaType('__proto__', 'rdfjson', 'input'), undefined);
  });

  it('are listed in order of preference', () => {
    assert.equal(readableTypes[0], 'text/turtle');
    assert.equal(readableTypes.length, 8);
  });
});

describe('parseContentType', () => {
  it('reads type, charset and rel', () => {
    assert.deepEqual(parseContentType('Text/Turtle; charset="UTF-8"; Rel=Meta'), {
      mediaType: 'text/turtle',
      charset: 'UTF-8',
      rel: 'meta',
    });
  });

  it('returns nothing for an invalid media type', () => {
    for (const header of [undefined, '', 'text', 'text/*', '*/*', 'a/b c', 'text/turtle,text/n3']) {
      assert.equal(parseContentType(header), undefined, header);
    }
  });
});
