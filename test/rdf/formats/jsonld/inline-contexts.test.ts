import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inlineContexts } from '../../../../src/rdf/formats/jsonld/inline-contexts.ts';
import { PreloadedContexts } from '../../../../src/rdf/formats/jsonld/preloaded-contexts.ts';
import { ending } from '../../../support/ending.ts';
import { BASE, parse, parseError, quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';
const HOST = 'https://c.example/';

/** Contexts by their names below `HOST`. */
function preloaded(contexts: Readonly<Record<string, unknown>>): PreloadedContexts {
  const texts = Object.entries(contexts).map(([name, value]) => [HOST + name, JSON.stringify(value)]);
  return new PreloadedContexts(Object.fromEntries(texts) as Record<string, string>);
}

type Contexts = Readonly<Record<string, unknown>>;

function read(contexts: Contexts, document: unknown): string[] {
  return quads(JSON.stringify(document), JSON_LD, { contexts: preloaded(contexts) });
}

/** Returns code, line and column. */
function refusal(contexts: Contexts, text: string): readonly unknown[] {
  const { code, details } = parseError(text, JSON_LD, { contexts: preloaded(contexts) });
  return [code, details.line, details.column];
}

const a = { a: 'urn:a' };
const b = { b: 'urn:b' };

describe('a preloaded context (G-45)', () => {
  const documents: readonly (readonly [string, Contexts, unknown, string[]])[] = [
    ['is named by its IRI', { a }, `${HOST}a`, ['urn:a']],
    ['is named in a list', { a, b }, [`${HOST}a`, { x: 'urn:x' }, `${HOST}b`], ['urn:a', 'urn:b', 'urn:x']],
    ['is a list', { ab: [a, b] }, [`${HOST}ab`, { x: 'urn:x' }], ['urn:a', 'urn:b', 'urn:x']],
    ['is an empty list', { none: [], a }, [`${HOST}none`, a], ['urn:a']],
    [
      'names others relative to itself',
      { a: ['dir/b', a], 'dir/b': '../b', b },
      `${HOST}a`,
      ['urn:a', 'urn:b'],
    ],
    ['is imported', { a }, { '@version': 1.1, '@import': `${HOST}a`, ...b }, ['urn:a', 'urn:b']],
    ['is imported by another', { a, i: { '@import': 'a', ...b } }, `${HOST}i`, ['urn:a', 'urn:b']],
    ['is overridden by what imports it', { a }, { '@import': `${HOST}a`, a: 'urn:x' }, ['urn:x']],
    ['is null', { none: null }, [a, `${HOST}none`, b], ['urn:b']],
    ['loses its base', { a: { ...a, '@base': 'urn:base:' } }, `${HOST}a`, ['urn:a']],
  ];
  for (const [how, contexts, context, properties] of documents) {
    it(how, () => {
      const document = { '@context': context, '@id': '', a: 1, b: 1, x: 1 };
      const lines = read(contexts, document).map((line) => line.split(' ').slice(0, 2));
      assert.deepEqual(lines.sort(), properties.map((iri) => [`<${BASE}>`, `<${iri}>`]).sort());
    });
  }

  it('is named relative to the document, not to its @base', () => {
    const context = [{ '@base': 'urn:x:' }, 'c'];
    const contexts = new PreloadedContexts({ 'http://base.example/dir/c': '{"a": "urn:a"}' });
    const text = JSON.stringify({ '@context': context, '@id': 'urn:s', a: 1 });
    assert.equal(quads(text, JSON_LD, { contexts }).length, 1);
  });

  it('is the context of a term or a type', () => {
    const scoped = {
      p: { '@id': 'urn:p', '@context': `${HOST}a` },
      T: { '@id': 'urn:T', '@context': `${HOST}b` },
    };
    const lines = read({ a, b, scoped }, { '@context': `${HOST}scoped`, p: { a: 1 }, '@type': 'T', b: 1 });
    assert.equal(lines.length, 4);
  });

  it('may lead to itself through terms, as deep as the document is', () => {
    const next = { '@id': 'urn:next', '@context': 'list' };
    const list = { '@version': 1.1, '@propagate': false, next, v: 'urn:v' };
    const document = { '@context': `${HOST}list`, next: { next: { next: { next: { v: 1 } } } } };
    assert.equal(read({ list }, document).length, 5);
  });

  it('may lead to itself through several terms', () => {
    const both = {
      '@version': 1.1,
      a: { '@id': 'urn:a', '@context': 'both' },
      b: { '@id': 'urn:b', '@context': 'both' },
    };
    for (const keys of [Array(50).fill('a'), ['a', 'b', 'b', 'a', 'b', 'a', 'a', 'b']] as string[][]) {
      const document = keys.reduceRight<object>((inner, key) => ({ [key]: inner }), {});
      assert.equal(read({ both }, { '@context': `${HOST}both`, ...document }).length, keys.length);
    }
  });

  it('may lead to itself through 64 levels of terms', () => {
    const self = { next: { '@id': 'urn:next', '@context': 'self' } };
    const text = (levels: number) => {
      const nested = `${'{"next": '.repeat(levels)}{}${'}'.repeat(levels)}`;
      return `{"@context": "${HOST}self",\n"@graph": [${nested}]}`;
    };
    const contexts = preloaded({ self });
    assert.equal(quads(text(64), JSON_LD, { contexts }).length, 64);
    const { message, code, details } = parseError(text(65), JSON_LD, { contexts });
    assert.match(message, /self is named at more than 64 levels: nest the document less deeply/);
    assert.deepEqual([code, details.line, details.column], ['too-large', 1, 14]);
  });

  it('is checked even if it is the context of a term that does not occur', () => {
    const unused = { p: { '@id': 'urn:p', '@context': 'a' } };
    assert.deepEqual(refusal({ unused }, `{"@context": "${HOST}unused"}`), ['remote-context', 1, 14]);
    assert.equal(refusal({ unused, a: { a: 5 } }, `{"@context": "${HOST}unused"}`)[0], 'parse-error');
  });

  it('keeps its @propagate', () => {
    const T = { '@id': 'urn:T', '@context': `${HOST}t` };
    const document = (propagate: boolean) =>
      read(
        { t: { ...a, '@propagate': propagate } },
        {
          '@context': { '@version': 1.1, T, p: 'urn:p' },
          '@type': 'T',
          p: { a: 1 },
        },
      );
    assert.deepEqual([document(false).length, document(true).length], [2, 3]);
  });

  it('is data in a JSON literal', () => {
    const json = { '@context': `${HOST}a`, v: 1 };
    const typed = { j: { '@id': 'urn:j', '@type': '@json' }, value: '@value', type: '@type', l: 'urn:l' };
    const document = {
      '@context': [`${HOST}typed`, `${HOST}a`],
      j: json,
      l: { value: json, type: '@json' },
      a: 1,
    };
    const lines = read({ a, typed }, document);
    assert.equal(lines.length, 3);
    assert.equal(lines.filter((line) => line.includes(`\\"@context\\":\\"${HOST}a\\"`)).length, 2);
  });
});

describe('a context that is not preloaded', () => {
  it('is not taken for one with another scheme, fragment or slash', () => {
    for (const iri of ['http://c.example/a', `${HOST}a/`, `${HOST}a#`, 'HTTPS://c.example/a']) {
      assert.deepEqual(refusal({ a }, `{\n"@context": "${iri}", "a": 1}`), ['remote-context', 2, 13], iri);
    }
  });

  it('is reported with the one that names it, and what to do', () => {
    const { message } = parseError(`{"@context": "${HOST}a", "a": 1}`, JSON_LD, {
      contexts: preloaded({ a: 'x' }),
    });
    assert.match(
      message,
      /https:\/\/c\.example\/x, which https:\/\/c\.example\/a names\. .* --context URL=FILE$/,
    );
  });

  it('does no harm in a JSON literal', () => {
    const json = { '@type': '@json', '@value': { '@context': 'urn:x' } };
    assert.equal(read({ a }, { '@context': `${HOST}a`, a: json }).length, 1);
  });

  const unusable: readonly (readonly [string, Contexts, unknown])[] = [
    ['includes itself', { a: ['b'], b: 'a' }, `${HOST}a`],
    ['imports a list', { a: [a] }, { '@import': `${HOST}a` }],
    ['imports a context that imports one', { a: { '@import': 'b' }, b }, { '@import': `${HOST}a` }],
    ['does not propagate, in a list', { a: { '@propagate': false } }, [b, `${HOST}a`]],
  ];
  for (const [how, contexts, context] of unusable) {
    it(`is reported with its place: one that ${how}`, () => {
      const text = JSON.stringify({ '@context': context, a: 1 });
      assert.deepEqual(refusal(contexts, text), ['remote-context', 1, text.indexOf(`"${HOST}a"`) + 1]);
    });
  }
});

describe('a document with preloaded contexts', () => {
  const long = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`t${index}`, `urn:${index}`]));

  it('is rejected with the positions of the document as it was sent', () => {
    const context = `"@context": ["${HOST}long",\n "${HOST}a"]`;
    const positions: readonly (readonly [string, number, number])[] = [
      [`{${context},\n "@id": "urn:s", "a": }`, 3, 23],
      [`{${context},\n "é😀": 1, "@id": 5}`, 3, 20],
      [`{"a": "\\q", ${context}}`, 1, 8],
    ];
    for (const [text, line, column] of positions) {
      assert.deepEqual(refusal({ a, long }, text), ['parse-error', line, column], text);
    }
  });

  it('is rejected at the reference if the context is wrong', () => {
    const text = `{"x": 1,\n"@context": "${HOST}a", "a": 1}`;
    const [code, line] = refusal({ a: { a: { '@id': 5 } } }, text);
    assert.deepEqual([code, line], ['parse-error', 2]);
  });

  it('is rejected if the contexts take too much memory', () => {
    const nodes = Array.from({ length: 10_000 }, () => ({ '@context': `${HOST}long` }));
    const [code, line, column] = ending(() => refusal({ long }, JSON.stringify(nodes)));
    assert.deepEqual([code, line], ['too-large', 1]);
    assert.ok(Number(column) > 1000);
  });

  it('is rejected if contexts of terms lead to themselves in too many ways', () => {
    const terms = Array.from({ length: 20 }, (_, index) => [
      `t${index}`,
      { '@id': `urn:${index}`, '@context': 'many' },
    ]);
    const everywhere = (value: object) => Object.fromEntries(terms.map(([name]) => [name, value]));
    const text = JSON.stringify({
      '@context': `${HOST}many`,
      ...everywhere(everywhere(everywhere(everywhere({})))),
    });
    const [code] = ending(() => refusal({ many: Object.fromEntries(terms) }, text));
    assert.equal(code, 'too-large');
  });

  it('is rejected if different lists of contexts take too much memory together', () => {
    const nodes = Array.from({ length: 300 }, (_, index) => ({
      '@context': [...Array(300).fill(`${HOST}long`), { [`x${index}`]: 'urn:x' }],
    }));
    let loads = 0;
    const shouldStop = () => ++loads < 0;
    const contexts = preloaded({ long });
    const document = Buffer.from(JSON.stringify(nodes));
    assert.throws(() => inlineContexts(document, { contexts, baseIri: BASE, shouldStop }), {
      code: 'too-large',
      message: /expand to more than 8388608 bytes/,
    });
    assert.ok(loads <= (8 * 1024 * 1024) / JSON.stringify(long).length + 1);
  });

  it('stops while contexts are put in', () => {
    const { code } = parseError(`{"@context": "${HOST}a"}`, JSON_LD, {
      contexts: preloaded({ a }),
      shouldStop: () => true,
    });
    assert.equal(code, 'cancelled');
  });

  it('reports how much of the document as it was sent is read', () => {
    const done: number[] = [];
    const text = `{"@context": "${HOST}long", "t1": 1}`;
    parse(text, JSON_LD, { contexts: preloaded({ long }), onProgress: (bytes) => done.push(bytes) });
    assert.ok(done.every((bytes) => bytes <= text.length));
  });

  it('means the same as with the contexts themselves', () => {
    const term = fc.constantFrom('a', 'b', 'c');
    const context = fc.dictionary(term, fc.constantFrom('urn:x', 'urn:y', 'a:b', null));
    fc.assert(
      fc.property(context, context, fc.dictionary(term, fc.integer()), (first, second, members) => {
        const node = { '@id': 'urn:s', ...members };
        const inline = attempt(() => read({}, { '@context': [first, second], ...node }));
        const named = attempt(() =>
          read({ first, second }, { '@context': [`${HOST}first`, `${HOST}second`], ...node }),
        );
        assert.deepEqual(named, inline);
      }),
    );
  });
});

describe('contexts that lead to themselves through terms', () => {
  const name = fc.constantFrom('one', 'two');
  const definition = fc.oneof(
    fc.constantFrom('urn:x', '@nest', '@type', null),
    fc.record(
      {
        '@id': fc.constantFrom('urn:p', 'urn:q', '@nest'),
        '@context': fc.oneof(name, fc.tuple(name, fc.constant({ v: 'urn:v2' }))),
        '@container': fc.constantFrom('@index', '@type', '@set'),
        '@type': fc.constantFrom('@id', '@vocab'),
      },
      { requiredKeys: ['@id', '@context'] },
    ),
  );
  const context = fc
    .tuple(
      fc.dictionary(fc.constantFrom('a', 'b', 'T'), definition, { minKeys: 1 }),
      fc.constantFrom({}, { '@propagate': false }, { '@propagate': true }),
      fc.constantFrom({}, { v: 'urn:v' }),
    )
    .map((parts) => Object.assign({ '@version': 1.1 }, ...parts) as Record<string, unknown>);
  const { node } = fc.letrec<{ node: object; value: unknown }>((tie) => ({
    node: fc
      .tuple(
        fc.constantFrom({}, { '@type': 'T' }, { '@type': ['a', 'T'] }),
        fc.dictionary(fc.constantFrom('a', 'b', 'T', 'v', 'k'), tie('value'), { maxKeys: 2 }),
      )
      .map((parts) => Object.assign({}, ...parts) as object),
    value: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom('T', 'urn:o'),
      fc.array(tie('node'), { maxLength: 1 }),
      tie('node'),
    ),
  }));

  it('mean the same as contexts that name others, level by level', () => {
    fc.assert(
      fc.property(context, context, node, (one, two, members) => {
        const document = { '@context': `${HOST}one`, ...members };
        const unrolled = attempt(() => read(levels({ one, two }, 8), document));
        // Such a context can't be put in, which matters only if it is applied. And eight levels may
        // be more than the parser may spend on contexts.
        fc.pre(!/"@propagate": false|expands to too much/.test(String(unrolled)));
        assert.deepEqual(
          attempt(() => read({ one, two }, document)),
          unrolled,
        );
      }),
      { numRuns: 300 },
    );
  });
});

/** Returns contexts whose terms name others of the next level only. */
function levels(contexts: Contexts, count: number): Contexts {
  const all: Record<string, unknown> = {};
  for (let level = 0; level <= count; level++) {
    for (const [key, value] of Object.entries(contexts)) {
      const next = (of: string) => (level === count ? '' : `"${of}${level + 1}"`);
      const text = JSON.stringify(value).replaceAll(/"(one|two)"/g, (_, of: string) => next(of) || '{}');
      all[level === 0 ? key : `${key}${level}`] = JSON.parse(text);
    }
  }
  return all;
}

function attempt(run: () => string[]): string[] | string {
  try {
    return run();
  } catch (error) {
    return (error as Error).message;
  }
}
