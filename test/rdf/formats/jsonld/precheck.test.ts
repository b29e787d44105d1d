import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RdfError } from '../../../../src/rdf/formats/errors.ts';
import { ending } from '../../../support/ending.ts';
import { parse, parseError, quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns a context with `count` terms. */
function terms(count: number): Record<string, unknown> {
  return Object.fromEntries(times(count, (index) => [`o${index}`, `urn:${index}`]));
}

const long = 'x'.repeat(100_000);

function count(document: unknown): number {
  return ending(() => parse(JSON.stringify(document), JSON_LD).quads.length / 4);
}

describe('JSON-LD that is too expensive to parse', () => {
  const scoped = (context: unknown, more: object = {}) => ({
    '@version': 1.1,
    p: { '@id': 'urn:p', '@context': context, ...more },
  });
  const nodes = <T>(make: (index: number) => T) => times(20_000, make);
  const documents: readonly (readonly [string, unknown])[] = [
    [
      'a scoped context used often',
      { '@context': scoped(terms(2000)), '@graph': nodes(() => ({ p: { o1: 1 } })) },
    ],
    ['a scoped context for the elements of a list', { '@context': scoped(terms(2000)), p: nodes(() => 1) }],
    [
      'a scoped context for elements of inner lists',
      { '@context': scoped(terms(2000)), p: nodes(() => [1]) },
    ],
    [
      'a scoped context for the members of a map',
      {
        '@context': scoped(terms(2000), { '@container': '@index' }),
        p: Object.fromEntries(nodes((index) => [`k${index}`, 1])),
      },
    ],
    [
      'a scoped context of a term that stands for @nest',
      { '@context': scoped(terms(2000), { '@id': '@nest' }), '@graph': nodes(() => ({ p: [] })) },
    ],
    [
      'a context of a type used often',
      { '@context': scoped(terms(2000)), '@graph': nodes(() => ({ '@type': 'p', o1: 1 })) },
    ],
    [
      'a context of a type that is the key of a map',
      {
        '@context': { ...scoped(terms(2000)), m: { '@id': 'urn:m', '@container': '@type' } },
        m: nodes(() => ({ p: {} })),
      },
    ],
    [
      'thousands of scoped contexts',
      {
        '@context': Object.fromEntries(
          times(25_000, (index) => [`t${index}`, { '@id': 'urn:t', '@context': {} }]),
        ),
      },
    ],
    [
      'small contexts within a large one',
      {
        '@context': terms(10_000),
        '@graph': nodes((index) => ({ '@context': { t: `urn:${index}` }, t: 1 })),
      },
    ],
    [
      'contexts of null within a large one',
      { '@context': terms(10_000), '@graph': nodes(() => ({ '@context': null, 'urn:t': 1 })) },
    ],
    [
      'contexts that are not inherited',
      { '@context': terms(10_000), '@graph': nodes(() => ({ '@context': { '@propagate': false } })) },
    ],
    [
      'a context behind what it is used for',
      { '@graph': nodes(() => ({ p: { o1: 1 } })), '@context': scoped(terms(2000)) },
    ],
    [
      'a long base',
      { '@context': { '@base': `http://e/${long}/` }, '@graph': nodes(() => ({ '@id': 'a' })) },
    ],
    [
      'a long vocabulary',
      { '@context': { '@vocab': `http://e/${long}/` }, '@graph': nodes(() => ({ a: null })) },
    ],
    ['a long language', { '@context': { '@language': long }, 'urn:p': nodes(() => 'a') }],
    ['a long prefix', { '@context': { p: `http://e/${long}/` }, '@graph': nodes(() => ({ 'p:a': null })) }],
    ['a long term', { '@context': { p: `http://e/${long}/` }, '@graph': nodes(() => ({ p: null })) }],
    [
      'a long prefix in a context',
      { '@context': { p: `http://e/${long}/`, ...Object.fromEntries(nodes((i) => [`t${i}`, 'p:a'])) } },
    ],
    [
      'a long vocabulary in a context',
      { '@context': { '@vocab': `http://e/${long}/`, ...Object.fromEntries(nodes((i) => [`t${i}`, {}])) } },
    ],
    [
      'a vocabulary that grows',
      { '@context': [{ '@vocab': 'urn:' }, ...nodes(() => ({ '@vocab': 'aaaaaaaaaa' }))] },
    ],
    [
      'a base that grows',
      { '@context': [{ '@base': 'http://e/' }, ...nodes(() => ({ '@base': 'aaaaaaaaaa/' }))] },
    ],
    ['a long key of many values', { [`urn:${long}`]: times(25_000, () => ({ '@value': null })) }],
    [
      'terms that stand one upon another',
      {
        '@context': Object.fromEntries([...times(18, (i) => [`t${i}`, `t${i + 1}:x`]), ['t18', 'urn:x:']]),
        t0: 1,
      },
    ],
  ];
  for (const [what, document] of documents) {
    it(`is rejected: ${what}`, () => {
      const error = ending(() => parseError(JSON.stringify(document), JSON_LD));
      assert.equal(error.code, 'too-large');
      assert.equal(error.details.source, 'body');
    });
  }

  it('is rejected: many deeply nested values', () => {
    const document = `${'{"urn:p":'.repeat(250)}[${times(250_000, () => 1).join()}]${'}'.repeat(250)}`;
    assert.equal(ending(() => parseError(document, JSON_LD)).code, 'too-large');
  });

  it('is rejected with the line and column where the budget ends (G-134)', () => {
    const lines = times(20_000, () => ' {"@id": "a"}');
    const text = `{"@context": {"@base": "http://e/${long}/"}, "@graph": [\n${lines.join(',\n')}\n]}`;
    const { code, details } = ending(() => parseError(text, JSON_LD));
    // Of the resources, of which each costs 100,010 characters and a little more, 256 Mi units
    // cover 2,683.
    assert.deepEqual(
      { code, details },
      { code: 'too-large', details: { source: 'body', line: 2685, column: 10 } },
    );
  });

  it('is rejected in every encoding, with escapes or a byte order mark', () => {
    const context = `{"@base":"http://e/${long}/"}`;
    const graph = times(20_000, () => '{"@id":"a"}').join();
    for (const document of [
      `{"\\u0040context":${context},"@graph":[${graph}]}`,
      `{"@\\u0063ontext":${context},"@graph":[${graph}]}`,
      `\ufeff{"@context":${context},"@graph":[${graph}]}`,
      `{"@context":${context},"@graph":[${graph}],"@context":{}}`,
      `[{"@context":${context},"@graph":[${graph}]}, x`,
    ]) {
      assert.equal(ending(() => parseError(document, JSON_LD)).code, 'too-large');
    }
    const uses = times(20_000, () => '{"\\u0070":1}').join();
    const scope = JSON.stringify(scoped(terms(2000)));
    assert.equal(
      ending(() => parseError(`{"@context":${scope},"@graph":[${uses}]}`, JSON_LD)).code,
      'too-large',
    );
  });

  it('is not processed when it is sent as RDF/JSON and is not valid JSON', () => {
    const node = {
      '@context': { '@base': `http://e/${long}/` },
      '@graph': times(20_000, () => ({ '@id': 'a' })),
    };
    const { code, details } = ending(() =>
      parseError(`[${JSON.stringify(node)},\n]`, 'application/rdf+json'),
    );
    assert.deepEqual({ code, line: details.line }, { code: 'parse-error', line: 2 });
  });
});

describe('malformed JSON-LD', () => {
  it('is parsed or fails with an RdfError', () => {
    const pieces = [
      ...'{}[],:" ',
      '\\',
      '"@context"',
      '"@graph"',
      '"a"',
      '{"a":"urn:a","p":{"@id":"urn:p","@context":{}}}',
      'null',
      '1',
      '\ufeff',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        try {
          parse(parts.join(''), JSON_LD);
        } catch (error) {
          assert.ok(error instanceof RdfError, `${error}`);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('JSON-LD within the limits, with many contexts', () => {
  it('is parsed: a large context and many nodes', () => {
    const graph = times(50_000, (index) => ({ '@id': `urn:n${index}`, [`o${index % 1000}`]: index }));
    assert.equal(count({ '@context': terms(3000), '@graph': graph }), 50_000);
  });

  it('is parsed: a context in each of many nodes', () => {
    const graph = times(20_000, (index) => ({ '@context': terms(20), '@id': `urn:n${index}`, o7: index }));
    assert.equal(count({ '@context': terms(500), '@graph': graph }), 20_000);
  });

  it('is parsed: a list of 50,000 contexts', () => {
    const context = times(50_000, (index) => ({ [`t${index}`]: `urn:t${index}` }));
    assert.equal(count({ '@context': context, '@id': 'urn:a', t0: 1, t49999: 2 }), 2);
  });

  it('is parsed: scoped contexts of 50 terms, used 30,000 times', () => {
    const context = {
      '@version': 1.1,
      p: { '@id': 'urn:p', '@context': terms(50) },
      T: { '@id': 'urn:T', '@context': { name: 'urn:name' } },
    };
    const graph = times(30_000, (index) => ({
      '@id': `urn:n${index}`,
      '@type': 'T',
      name: 'x',
      p: { o1: index },
    }));
    assert.equal(count({ '@context': context, '@graph': graph }), 120_000);
  });

  it('is parsed: a context of 2,800 terms, and a type-scoped context that is used 4,000 times', () => {
    const vocabulary = times(2_800, (i) => [`term${i}`, { '@id': `urn:${i}`, '@type': '@id' }]);
    const T = { '@id': 'urn:T', '@context': { name: 'urn:name' } };
    const context = { '@version': 1.1, ...Object.fromEntries(vocabulary), T };
    const graph = times(4_000, (i) => ({
      '@id': `urn:n${i}`,
      '@type': 'T',
      name: `No ${i}`,
      term7: `urn:o${i}`,
    }));
    assert.equal(count({ '@context': context, '@graph': graph }), 12_000);
  });

  it('is parsed: terms defined by a chain of 16 others', () => {
    const context = Object.fromEntries([...times(16, (i) => [`t${i}`, `t${i + 1}:x/`]), ['t16', 'urn:']]);
    assert.deepEqual(quads(JSON.stringify({ '@context': context, '@id': 'urn:a', t0: 'v' }), JSON_LD), [
      `<urn:a> <urn:${'x/'.repeat(16)}> "v" .`,
    ]);
  });

  it('is parsed: a list of a million numbers', () => {
    const list = { '@list': times(1_000_000, (index) => index) };
    assert.equal(count({ '@id': 'urn:a', 'urn:p': list }), 2_000_001);
  });
});
