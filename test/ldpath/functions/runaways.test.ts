/**
 * Programs that could occupy a thread for minutes take linear time, or check the clock while they
 * run (ldpath 8.4).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { formatTerm, iri, literal } from '../../../src/rdf/model/term.ts';
import { errorOf, prefixes, run, select } from '../support.ts';

const SUBJECT = '<http://example.org/s>';
const MILLION = 1_000_000;

/** `ex:t` of `ex:s` are texts, `ex:u` others. */
function graphOfTexts(texts: readonly string[], others: readonly string[] = []): IndexedGraph {
  const quad = (predicate: string) => (text: string) => ({
    subject: SUBJECT,
    predicate: `<http://example.org/${predicate}>`,
    object: formatTerm(literal(text)),
  });
  return IndexedGraph.of([...texts.map(quad('t')), ...others.map(quad('u'))]);
}

const a = (count: number) => 'a'.repeat(count);

/** With the pattern as `ex:u`. */
const shapes: readonly (readonly [pattern: string, text: string])[] = [
  ['^(a+)+$x', `${a(MILLION)}!`],
  ['(a|a)*b', a(200_000)],
  ['(a|aa)+$', `${a(200_000)}!`],
  ['(.*a){20}', a(50_000)],
  ['([a-z]+)*=', a(MILLION)],
  ['a*a*a*a*b', a(MILLION)],
  ['(a*)*\\1b', a(50_000)],
  ['(a|b|ab)*\\1c', 'ab'.repeat(50_000)],
  ['(?=(a+)+$)a(?=.*c)', `${a(50_000)}!`],
  ['a(?=a*)c', a(50_000)],
  ['(?<=(a|aa)+)c|b', `${a(50_000)}c`],
  ['(?>a+)b', a(50_000)],
  ['(?:a?){1000}b', a(100_000)],
];

const calls: readonly (readonly [name: string, call: (pattern: string) => string])[] = [
  ['fn:replace', () => 'fn:replace(ex:t, ex:u, "x")'],
  ['fn:split', () => 'fn:split(ex:t, ex:u)'],
  ['fn:matches', () => '.[fn:matches(ex:t, ex:u)]'],
];

describe('arbitrary regular expressions', () => {
  for (const [name, call] of calls) {
    it(`finish or exceed the budget in ${name}`, () => {
      for (const [pattern, text] of shapes) {
        const graph = graphOfTexts([text], [pattern]);
        assertEnds(() => select(graph, 's', call(pattern), { steps: 500_000 }), pattern);
      }
    });
  }

  it('finish or exceed the budget in CSS selectors', () => {
    for (const [pattern, text] of shapes) {
      const graph = graphOfTexts([`<p title="${text}">${text}</p>`]);
      for (const selector of [`p[title~=${pattern}]`, `p:matches(${pattern})`]) {
        const path = `fn:css(${JSON.stringify(selector)}, ex:t)`;
        assertEnds(() => select(graph, 's', path, { steps: 500_000 }), selector);
      }
    }
  });

  it('finish in JSONPath', () => {
    for (const pattern of ['(a+)+b', '(a|a)*b', '(a|aa)+b', '(a*)*b', 'a*a*a*a*b', '(.*a){20}b']) {
      const graph = graphOfTexts([JSON.stringify([a(50_000), 'b'])]);
      for (const name of ['match', 'search']) {
        const found = select(graph, 's', `fn:jsonpath("$[?${name}(@, '${pattern}')]", ex:t)`);
        assert.ok(found.length <= 1, pattern);
      }
    }
  });
});

function assertEnds(evaluate: () => unknown, what: string): void {
  try {
    evaluate();
  } catch (error) {
    assert.ok(error instanceof LdPathError && error.code === 'budget-exceeded', what);
  }
}

const deep = (inside: string) => '<div>'.repeat(400) + inside + '</div>'.repeat(400);
const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`k${i}`, i]));
const listed = (count: number, text: string) => Array.from({ length: count }, () => text).join('');

/** Each would take many seconds between two looks at the clock if it did not look. */
const slow: readonly (readonly [name: string, path: string, texts: readonly string[]])[] = [
  ['a reference in a pattern', 'fn:replace(ex:t, "(a|b|ab)*\\1c", "")', ['ab'.repeat(50_000)]],
  ['an atomic group', 'fn:replace(ex:t, "(?>a+)b", "")', [a(200_000)]],
  ['text of elements', `fn:css("div${':contains(a)'.repeat(90)}:contains(b)", ex:t)`, [deep(a(900_000))]],
  [
    'classes',
    `fn:css("${Array(900).fill('.y').join(',')}", ex:t)`,
    [listed(20, `<p class="${'x '.repeat(20_000)}">`)],
  ],
  [
    'elements within elements',
    `fn:css("${'div:has('.repeat(20)}b${')'.repeat(20)}", ex:t)`,
    [deep('<p>x</p>')],
  ],
  [
    'attributes added one by one',
    'fn:htmlText(ex:t)',
    [Array.from({ length: 60_000 }, (_, i) => `<body a${i}>`).join('')],
  ],
  [
    'sets of nodes',
    "fn:xpath('//b = //c', ex:t)",
    [`<a>${'<b>y</b>'.repeat(5000)}${'<c>z</c>'.repeat(5000)}</a>`],
  ],
  [
    'text in XPath',
    `fn:xpath("count(//b${"[not(contains(., 'z'))]".repeat(90)})", ex:t)`,
    [`<a>${'<b>'.repeat(400)}${a(900_000)}${'</b>'.repeat(400)}</a>`],
  ],
  [
    'characters in XPath',
    `fn:xpath("string-length(${'translate('.repeat(50)}/a${", 'b', 'c')".repeat(50)})", ex:t)`,
    [`<a>${a(900_000)}</a>`],
  ],
  [
    'objects that are compared',
    `fn:jsonpath("$.l[?${Array(90).fill('$.a == $.b').join(' && ')}]", ex:t)`,
    [JSON.stringify({ a: members, b: members, l: Array(500).fill(1) })],
  ],
  [
    'strings that are compared',
    `fn:jsonpath("$.l[?${Array(90).fill('$.a != $.b').join(' && ')}]", ex:t)`,
    [JSON.stringify({ a: `${a(400_000)}y`, b: `${a(400_000)}z`, l: Array(50_000).fill(1) })],
  ],
  ['long texts that are sorted', 'fn:sort(ex:t)', Array.from({ length: 100 }, (_, i) => a(100_000) + i)],
  [
    'many texts that are sorted',
    'fn:sort(ex:t)',
    Array.from({ length: 100_000 }, (_, i) => `${(i * 7919) % 100_003}`),
  ],
  [
    'case',
    'ex:t[fn:anyEqualsIgnoreCase(., "b")]',
    Array.from({ length: 20 }, (_, i) => 'é'.repeat(200_000) + i),
  ],
  ['conversion', 'ex:t :: xsd:anyURI', Array.from({ length: 100 }, (_, i) => `${' x '.repeat(50_000)}${i}`)],
];

describe('slow functions', () => {
  for (const [name, path, texts] of slow) {
    it(`check the clock: ${name}`, () => {
      let looks = 0;
      const evaluator = new Evaluator({ milliseconds: 10, steps: Number.MAX_SAFE_INTEGER }, () => looks++);
      const program = compileProgram(`x = ${path} ;`, { prefixes });
      const error = errorOf(() => evaluator.evaluateProgram(program, graphOfTexts(texts), SUBJECT));
      assert.equal(error.code, 'time-limit');
    });
  }
});

/** `x` of a program on one text. */
function valuesOf(text: string, expression: string, others: readonly string[] = []): string[] {
  const graph = graphOfTexts([text], others);
  return run(graph, 's', `x = ${expression} ;`).fields['x']!;
}

describe('functions on a text of a million characters', () => {
  const blanks = ' '.repeat(MILLION);

  it('convert numbers and dates in linear time', () => {
    assert.deepEqual(valuesOf('1'.repeat(MILLION), 'ex:t :: xsd:decimal'), []);
    assert.deepEqual(valuesOf(`${'1'.repeat(MILLION)}.5e1`, 'ex:t :: xsd:integer'), []);
    const moment = `2020-01-01T00:00:00.1${'0'.repeat(MILLION)}`;
    assert.deepEqual(valuesOf(`${moment}0`, 'ex:t :: xsd:dateTime'), [
      '"2020-01-01T00:00:00.1"^^xsd:dateTime',
    ]);
  });

  it('find the local part of an IRI in linear time', () => {
    const graph = IndexedGraph.of([
      {
        subject: SUBJECT,
        predicate: '<http://example.org/t>',
        object: formatTerm(iri(`http://e/${a(MILLION)}/b`)),
      },
    ]);
    assert.deepEqual(select(graph, 's', 'fn:local(ex:t)'), ['"b"']);
  });

  it('clean HTML in linear time', () => {
    assert.deepEqual(
      valuesOf(`<p>${blanks}<i>x</i>${blanks}.</p>`.slice(0, MILLION), 'fn:cleanHtml(ex:t)').length,
      1,
    );
    assert.equal(valuesOf('<p>'.repeat(49_000), 'fn:cleanHtml(ex:t)').length, 1);
  });

  it('search for long texts in linear time', () => {
    const part = `b${a(400_000)}`;
    assert.deepEqual(valuesOf(a(MILLION), '.[fn:contains(ex:t, ex:u)]', [part]), []);
    const document = `<r><a>${a(600_000)}</a><b>${a(150_000)}b${a(150_000)}</b></r>`;
    assert.deepEqual(valuesOf(document, 'fn:xpath("contains(/r/a, /r/b)", ex:t)'), ['"false"^^xsd:boolean']);
  });
});
