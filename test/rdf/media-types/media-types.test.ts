import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  formatByMediaType,
  formatByShortName,
  parseContentType,
  readableTypes,
} from '../../../src/rdf/media-types/media-types.ts';

describe('formats', () => {
  it('are found by canonical type and alias in any case (G-40)', () => {
    assert.equal(formatByMediaType('Text/Turtle', 'rdfjson', 'input')?.shortName, 'turtle');
    assert.equal(formatByMediaType('text/x-nquads', 'rdfjson', 'output')?.shortName, 'nq');
  });

  it('take text/plain as N-Triples on input only', () => {
    assert.equal(formatByMediaType('text/plain', 'rdfjson', 'input')?.shortName, 'nt');
    assert.equal(formatByMediaType('text/plain', 'rdfjson', 'output'), undefined);
  });

  it('take application/json as the endpoint means it (G-43)', () => {
    assert.equal(formatByMediaType('application/json', 'rdfjson', 'input')?.shortName, 'rdfjson');
    assert.equal(formatByMediaType('application/json', 'jsonld', 'input')?.shortName, 'jsonld');
    assert.equal(formatByShortName('JSON', 'jsonld')?.shortName, 'jsonld');
  });

  it('do not answer to names of object properties', () => {
    assert.equal(formatByShortName('constructor', 'rdfjson'), undefined);
    assert.equal(formatByMediaType('__proto__', 'rdfjson', 'input'), undefined);
  });

  it('are listed in the order of preference', () => {
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

  it('finds nothing in what is no media type', () => {
    for (const header of [undefined, '', 'text', 'text/*', '*/*', 'a/b c', 'text/turtle,text/n3']) {
      assert.equal(parseContentType(header), undefined, header);
    }
  });
});
