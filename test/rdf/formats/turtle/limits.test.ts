import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ending } from '../../../support/ending.ts';
import { parse, parseError } from '../documents.ts';

const TURTLE = 'text/turtle';
const FORMATS = [TURTLE, 'text/n3'];

function count(text: string, mediaType = TURTLE): number {
  return ending(() => parse(text, mediaType).quads.length / 4);
}

describe('nesting in Turtle and N3', () => {
  const shapes: readonly (readonly [string, string, string, number])[] = [
    ['lists', '(', ')', 2],
    ['blank nodes', '[<b>', ']', 1],
    ['lists of blank nodes', '([<b>', '])', 3],
  ];
  for (const mediaType of FORMATS) {
    for (const [what, open, close, quads] of shapes) {
      it(`may be deep: ${what} in ${mediaType}`, () => {
        const depth = 200_000;
        const document = `<a> <b> ${open.repeat(depth)} 1 ${close.repeat(depth)} .`;
        const found = count(document, mediaType);
        assert.ok(found > quads * (depth - 1) && found < quads * (depth + 2), `${found} quads`);
      });
    }

    it(`is rejected before it exhausts the memory of a thread: ${mediaType}`, () => {
      const head = '<a> <b>\n';
      assert.equal(count(`${head}${'('.repeat(1_000_000)}${')'.repeat(1_000_000)} .`, mediaType), 1_999_999);
      const { code, message, details } = ending(() => parseError(head + '('.repeat(2_000_000), mediaType));
      assert.match(message, /^Nested deeper than 1000000 levels/);
      assert.deepEqual(
        { code, details },
        {
          code: 'parse-error',
          details: { line: 2, column: 1_000_001, source: 'body' },
        },
      );
    });
  }

  it('counts open brackets, and not all brackets', () => {
    assert.equal(count(`<a> <b> ${'[],'.repeat(1_100_000)} () .`), 1_100_001);
  });
});

describe('long documents in Turtle', () => {
  it('may contain a list of a million numbers', () => {
    const numbers = Array.from({ length: 1_000_000 }, (_, index) => index).join(' ');
    assert.equal(count(`<a> <b> ( ${numbers} ) .`), 2_000_001);
  });

  it('may contain 3 million blank nodes', () => {
    const block = ending(() => parse(`<a> <b> ${'[],'.repeat(3_000_000)} [] .`, TURTLE));
    assert.equal(block.quads.length / 4, 3_000_001);
    assert.equal(Buffer.from(block.termBytes.subarray(-18)).toString(), '_:2999999_:3000000');
  });

  it('may declare 300,000 prefixes', () => {
    const declarations = Array.from(
      { length: 300_000 },
      (_, index) => `@prefix p${index}: <urn:${index}:> .`,
    );
    assert.equal(count(`${declarations.join('\n')} p0:a p7:b p299999:c .`), 1);
  });
});

describe('the cost of resolving against a base', () => {
  const grown = (declarations: number) =>
    `@base <http://e/> .\n${'@base <aaaaaaaaa/> .\n'.repeat(declarations)}`;

  it('may grow with relative declarations', () => {
    const { termBytes } = parse(`${grown(1000)}<x> <urn:b> <urn:c> .`, TURTLE);
    const subject = `<http://e/${'aaaaaaaaa/'.repeat(1000)}x>`;
    assert.equal(Buffer.from(termBytes.subarray(0, subject.length)).toString(), subject);
  });

  const wasteful: readonly (readonly [string, string])[] = [
    ['declarations that prolong it', grown(200_000)],
    [
      'relative IRIs that no triple has',
      `@base <http://e/${'x/../'.repeat(40_000)}> .\n${'@prefix p: <../a> .\n'.repeat(40_000)}`,
    ],
    ['declarations in the manner of SPARQL', `BASE <http://e/>\n${'BASE <aaaaaaaaa/>\n'.repeat(200_000)}`],
  ];
  for (const mediaType of FORMATS) {
    for (const [what, document] of wasteful) {
      it(`is limited: ${what} in ${mediaType}`, () => {
        assert.equal(ending(() => parseError(document, mediaType)).code, 'too-large');
      });
    }
  }

  it('stays within the limit for any number of absolute bases', () => {
    const declaration = `@base <http://e/${'x'.repeat(100)}/> .\n<a> <urn:b> <c> .\n`;
    assert.equal(count(declaration.repeat(50_000)), 50_000);
  });
});
