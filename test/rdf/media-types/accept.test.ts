import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiate, negotiateRdf } from '../../../src/rdf/media-types/accept.ts';

const sides = [
  { type: 'image/png', rel: 'content' },
  { type: 'text/turtle', rel: 'meta' },
  { type: 'application/ld+json', rel: 'meta' },
];

function chosen(accept: string | undefined): string | undefined {
  return negotiate(accept, sides)?.type;
}

function rdf(accept: string | undefined, format?: string, jsonMeans: 'rdfjson' | 'jsonld' = 'rdfjson') {
  return negotiateRdf(accept, format, jsonMeans)?.contentType;
}

describe('negotiate', () => {
  it('treats a missing, empty or malformed Accept header as any media type (G-50)', () => {
    for (const accept of [undefined, '', ' , ', 'nonsense', 'a/b;q=7', '*/x']) {
      assert.equal(chosen(accept), 'image/png', accept);
    }
  });

  it('takes the quality from the most specific range (G-51)', () => {
    assert.equal(chosen('image/*;q=0.1, text/turtle;q=0.2, */*;q=0.15'), 'text/turtle');
    assert.equal(chosen('*/*, image/png;q=0, text/turtle;q=0'), 'application/ld+json');
  });

  it('excludes a media type with a quality of 0', () => {
    assert.equal(chosen('*/*;q=0'), undefined);
    assert.equal(chosen('text/turtle;q=0'), undefined);
  });

  it('matches a range with a rel only to candidates with that rel (G-51)', () => {
    assert.equal(chosen('*/*;rel=meta'), 'text/turtle');
    assert.equal(chosen('text/turtle;rel=content'), undefined);
    assert.equal(chosen('image/png;rel=content;q=0.3, text/turtle ; rel = meta ; q=0.5'), 'text/turtle');
    assert.equal(chosen('text/turtle;rel=meta;q=0.1, text/turtle, image/png;q=0.5'), 'image/png');
  });

  it('prefers the more specific range among equal qualities, then the order of the candidates (G-52)', () => {
    assert.equal(chosen('*/*, application/ld+json'), 'application/ld+json');
    assert.equal(chosen('application/ld+json, text/turtle'), 'text/turtle');
  });

  it('accepts trailing commas, quoted commas and any case', () => {
    assert.equal(chosen('application/LD+json;profile="a,b;q=0";Q=1,'), 'application/ld+json');
  });

  it('ignores malformed ranges among well-formed ones', () => {
    assert.equal(chosen('text/, ;q=1, *, text/turtle;q=.5'), 'text/turtle');
  });

  it('parses a hostile header in linear time', () => {
    const accept = `${'"\\'.repeat(1_000_000)},${';='.repeat(1_000_000)}`;
    assert.equal(chosen(accept), 'image/png');
  });
});

describe('negotiateRdf', () => {
  it('applies the most specific range of a type, in any order of ranges', () => {
    for (const [accept, type] of [
      ['*/*;q=0.1, text/*;q=0.9, application/ld+json;q=0.5', 'text/turtle'],
      ['text/*;q=0.1, */*;q=0.9', 'application'],
      ['*/*;q=0.9, text/*;q=0.1', 'application'],
      ['text/*;q=0.9, text/turtle;q=0.1, application/ld+json;q=0.5', 'text/'],
    ] as const) {
      const chosen = negotiateRdf(accept, undefined, 'jsonld')?.format.mediaType;
      assert.ok(chosen?.startsWith(type), `${accept}: ${chosen}`);
    }
  });

  it('skips an unavailable format', () => {
    const { format: rdfXml } = negotiateRdf('application/rdf+xml', undefined, 'jsonld')!;
    const without = (accept: string, format?: string) =>
      negotiateRdf(accept, format, 'jsonld', [rdfXml])?.format.shortName;
    assert.equal(without('application/rdf+xml'), undefined);
    assert.equal(without('application/rdf+xml, text/turtle;q=0.1'), 'turtle');
    assert.equal(without('text/turtle'), 'turtle');
    assert.equal(without('text/turtle', 'rdfxml'), undefined);
    assert.equal(without('application/rdf+xml', 'turtle'), 'turtle');
  });

  it('selects Turtle with a charset for a client that accepts anything (G-52, G-60)', () => {
    assert.equal(rdf(undefined), 'text/turtle; charset=utf-8');
    assert.equal(rdf('*/*'), 'text/turtle; charset=utf-8');
    assert.equal(rdf('text/turtle;q=0.9,application/json;q=0.8'), 'text/turtle; charset=utf-8');
  });

  it('returns the requested alias (G-41)', () => {
    assert.equal(rdf('application/x-turtle'), 'application/x-turtle');
    assert.equal(rdf('text/xml'), 'text/xml; charset=utf-8');
    assert.equal(rdf('application/*'), 'application/ld+json');
  });

  it('returns N-Triples as text/plain, but only by that name (G-41)', () => {
    assert.equal(rdf('text/plain, */*;q=0.1'), 'text/plain; charset=utf-8');
    assert.equal(negotiateRdf('text/plain', undefined, 'jsonld')?.format.shortName, 'nt');
    assert.equal(rdf('text/*'), 'text/turtle; charset=utf-8');
  });

  it('interprets application/json as the endpoint does (G-43)', () => {
    assert.equal(rdf('application/json'), 'application/json');
    assert.equal(negotiateRdf('application/json', undefined, 'rdfjson')?.format.shortName, 'rdfjson');
    assert.equal(negotiateRdf('application/json', undefined, 'jsonld')?.format.shortName, 'jsonld');
    assert.equal(
      rdf('application/json, application/n-triples', undefined, 'jsonld'),
      'application/n-triples',
    );
  });

  it('prefers the format parameter to the Accept header (G-53)', () => {
    assert.equal(rdf('text/turtle', 'nt'), 'application/n-triples');
    assert.equal(rdf('text/turtle', 'N-Quads'), 'application/n-quads');
    assert.equal(rdf('text/turtle', 'json'), 'application/json');
    assert.equal(rdf('text/turtle', 'application/rdf+xml'), 'application/rdf+xml');
    assert.equal(rdf('text/turtle', 'text/turtle;q=0.1, text/n3'), 'text/n3; charset=utf-8');
  });

  it('returns nothing for an unknown format (G-53)', () => {
    for (const format of ['pdf', 'application/pdf', 'text/html', ',']) {
      assert.equal(rdf('*/*', format), undefined, format);
    }
  });
});

describe('profiles of JSON-LD (G-49)', () => {
  const JSON_LD = 'application/ld+json';
  const ns = 'http://www.w3.org/ns/json-ld#';
  const profiled = (name: string) => `${JSON_LD};profile="${ns}${name}"`;
  const formOf = (accept: string | undefined, format?: string) =>
    negotiateRdf(accept, format, 'rdfjson')?.format.variant;

  for (const [what, accept, format] of [
    ['Accept', profiled('compacted'), undefined],
    ['format', 'text/turtle', profiled('compacted')],
  ] as const) {
    it(`is taken from ${what}, and named in the content type`, () => {
      assert.equal(rdf(accept, format), profiled('compacted'));
      assert.equal(formOf(accept, format), 'jsonld-compacted');
    });
  }

  it('is expanded form without a profile', () => {
    assert.equal(rdf(JSON_LD), JSON_LD);
    assert.equal(rdf(profiled('expanded')), profiled('expanded'));
    assert.equal(formOf(profiled('expanded')), formOf(JSON_LD));
  });

  it('is ignored if it is unknown, and for other formats', () => {
    assert.equal(rdf(profiled('unknown')), JSON_LD);
    assert.equal(rdf(`${JSON_LD};profile="http://e.org/ ${ns}compacted"`), profiled('compacted'));
    assert.equal(rdf(`text/turtle;profile="${ns}compacted"`), 'text/turtle; charset=utf-8');
  });

  it('counts if its range decides', () => {
    assert.equal(rdf(`${profiled('compacted')};q=0.5, ${JSON_LD}`), JSON_LD);
    assert.equal(rdf(`${JSON_LD}, ${profiled('compacted')}`), profiled('compacted'));
    assert.equal(rdf(`${profiled('compacted')}, ${profiled('expanded')}`), profiled('compacted'));
    assert.equal(rdf(`${profiled('compacted')};q=0.1, text/turtle`), 'text/turtle; charset=utf-8');
  });
});
