import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseError, quads } from '../formats/documents.ts';

const JSON_LD = 'application/ld+json';

describe('JSON-LD', () => {
  it('is parsed with its graph names', () => {
    const document = { '@id': 'urn:g', '@graph': [{ '@id': 'x', 'urn:p': [{ '@id': '_:n' }, 'v'] }] };
    assert.deepEqual(quads(JSON.stringify(document), JSON_LD), [
      '<http://base.example/dir/x> <urn:p> _:0 <urn:g> .',
      '<http://base.example/dir/x> <urn:p> "v" <urn:g> .',
    ]);
  });

  const remote = 'http://127.0.0.1:9/context';
  const contexts: readonly (readonly [string, unknown])[] = [
    ['named', remote],
    ['in a list', [{ a: 'urn:a' }, remote]],
    ['relative', 'context.jsonld'],
    ['imported', { '@version': 1.1, '@import': remote }],
    ['of a term', { a: { '@id': 'urn:a', '@context': remote } }],
  ];
  for (const [how, context] of contexts) {
    it(`never fetches a context that is ${how} (G-45)`, () => {
      const document = JSON.stringify({ '@context': context, a: 1 });
      const { code, details } = parseError(document, JSON_LD);
      const place = Math.max(document.indexOf(`"${remote}"`), document.indexOf('"context.jsonld"'));
      assert.deepEqual([code, details.line, details.column], ['remote-context', 1, place + 1]);
    });
  }

  const positions: readonly (readonly [string, string, number, number])[] = [
    ['a missing value', '{\n "@id": "urn:x",\n "a": }', 3, 7],
    ['half of a surrogate pair', '{"@id": "urn:x",\n "urn:p": "\\\\\\ud83d\\ude00 \\ud800"}', 2, 27],
    [
      'the second half alone',
      '{"@id": "urn:x",\n "urn:p": "\\udc00 and more text than six characters"}',
      2,
      12,
    ],
    ['the same half twice', '{"@id": "urn:x",\n "urn:p": "\\ud800\\ud800"}', 2, 12],
    ['half of a pair in a key', '{"@id": "urn:x",\n "\\uD800": 1}', 2, 3],
    ['a cut document', '{\n "@id"', 2, 7],
    ['an empty document', '', 1, 1],
    ['a wrong kind of value', '{"urn:p": 1,\n "@id": 5}', 2, 10],
    ['deep nesting', `${'['.repeat(300)}${']'.repeat(300)}`, 1, 257],
  ];
  for (const [what, text, line, column] of positions) {
    it(`is rejected with a position: ${what}`, () => {
      const { code, details } = parseError(text, JSON_LD);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  it('is parsed with the base directions of strings that have a language (G-42)', () => {
    const value = { '@value': 'x--rtl', '@direction': 'ltr' };
    const values = [value, { ...value, '@language': 'en' }, { ...value, '@language': 'en-US' }];
    assert.deepEqual(quads(JSON.stringify({ '@id': 'urn:a', 'urn:p': values }), JSON_LD), [
      '<urn:a> <urn:p> "x--rtl" .',
      '<urn:a> <urn:p> "x--rtl"@en--ltr .',
      '<urn:a> <urn:p> "x--rtl"@en-US--ltr .',
    ]);
  });

  it('reads whole numbers below 10^21 as integers, and others as doubles (G-45)', () => {
    const numbers = ['1.0', '5e3', '9223372036854775808', '99999999999999999999', '1e20', '1e21', '1.5'];
    const lines = quads(`{"@id": "urn:s", "urn:p": [${numbers.join()}]}`, JSON_LD);
    const values = lines.map((line) => /"(.*)"\^\^<.*#(.*)>/.exec(line)?.slice(1).join(' '));
    assert.deepEqual(values, [
      '1 integer',
      '5000 integer',
      '9223372036854775808 integer',
      '99999999999999999999 integer',
      '100000000000000000000 integer',
      '1.0E21 double',
      '1.5E0 double',
    ]);
  });

  it('resolves IRIs against a base whose dot segments are removed', () => {
    const bases = [
      ['http://a/b/./c/../d', 'http://a/b/x'],
      ['./e/', 'http://base.example/dir/e/x'],
      ['../f/./', 'http://base.example/f/x'],
      ['/g/../h/', 'http://base.example/h/x'],
    ] as const;
    for (const [base, resolved] of bases) {
      const document = JSON.stringify({ '@context': { '@base': base }, '@id': 'x', 'urn:p': 1 });
      assert.ok(quads(document, JSON_LD)[0]!.startsWith(`<${resolved}> `), base);
    }
  });

  it('preserves data and positions when it normalises a base', () => {
    const text =
      '{"@context":{"@base":"http://a/././"},\n"urn:p":{"@type":"@json","@value":{"@base":"./x"}}}';
    assert.ok(quads(text, JSON_LD)[0]!.includes('./x'));
    const base = '{"@context": {"@base": "http://a/./b/././"}, "@id": 5}';
    assert.equal(parseError(base, JSON_LD).details.column, base.lastIndexOf('}') + 1);
  });

  it('is rejected at the end of a quad that cannot be stored', () => {
    const node = (index: number, type: string) =>
      `{"@id":"urn:${index}","urn:p":{"@value":"x","@type":"${type}"}}`;
    const nodes = Array.from({ length: 5000 }, (_, index) => node(index, 'urn:t'));
    nodes[3000] = node(3000, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString');
    const { code, details } = parseError(`[${nodes.join(',\n')}]`, JSON_LD);
    assert.deepEqual([code, details.line, details.column], ['parse-error', 3001, nodes[3000].length]);
  });

  it('can still be parsed after a document has made the parser trap', () => {
    const terms = Array.from({ length: 4500 }, (_, index) => [`t${index + 1}`, { '@id': `t${index}:x` }]);
    const chain = { '@context': Object.fromEntries([['t0', 'urn:x:'], ...terms]), t4500: 1 };
    const { code, message } = parseError(JSON.stringify(chain), JSON_LD);
    assert.deepEqual(
      [code, message],
      ['too-large', 'The document exceeds the memory or stack of the parser'],
    );
    assert.equal(quads('{"@id":"urn:a","urn:p":1}', JSON_LD).length, 1);
  });

  it('stops on request', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => ({ '@id': `urn:${index}`, 'urn:p': index }));
    let reports = 0;
    const options = { onProgress: () => reports++, shouldStop: () => reports === 3 };
    assert.equal(parseError(JSON.stringify(nodes), JSON_LD, options).code, 'cancelled');
    assert.equal(reports, 3);
  });
});
