import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import type { NodeObject } from '../../src/ldpath/evaluate/node-object.ts';
import { parsePath, parseProgram } from '../../src/ldpath/syntax/parser.ts';
import { formatTerm, languageLiteral, literal, XSD_STRING } from '../../src/rdf/model/term.ts';
import { graphs, paths, starts } from '../ldpath/generators.ts';
import { Interpreter } from '../ldpath/interpreter.ts';
import { printProgram, printSelector } from '../ldpath/printer.ts';
import { people, prefixes } from '../ldpath/support.ts';

function canonical({ type, value, lang, datatype }: NodeObject): string {
  if (type === 'uri') return `<${value}>`;
  if (type === 'bnode') return `_:${value}`;
  return formatTerm(
    lang === undefined ? literal(value, datatype ?? XSD_STRING) : languageLiteral(value, lang),
  );
}

/** The tree without places, and without the groups that a printer may add. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null) return value;
  const node = value as Record<string, unknown>;
  if (node['kind'] === 'group') return bare(node['selector']);
  if (node['kind'] === 'test-group') return bare(node['test']);
  const entries = Object.entries(node).filter(([key]) => key !== 'start' && key !== 'end');
  return Object.fromEntries(entries.map(([key, each]) => [key, bare(each)]));
}

const pieces = fc.constantFrom(
  ...[
    'foaf:a',
    'ex:is',
    'is',
    'is-a',
    'fn:',
    'fn:first(',
    'fn:eq(',
    '@prefix',
    '@filter',
    '@boost',
    '@graph',
    '@en',
    '"x"',
  ],
  ...[
    "'y'",
    '<http://e.org/>',
    '<rel>',
    '^^',
    '^',
    '::',
    ':',
    ';',
    ',',
    '.',
    '&',
    '|',
    '/',
    '*',
    '+',
    '?',
    '!',
    '~',
    '=',
  ],
  ...[
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    '{1,2}',
    '/*',
    '*/',
    '#',
    '\n',
    ' ',
    '17',
    '-',
    'true',
    'x',
    '\\',
    "'",
    '"',
    '\u0000',
    '😀',
  ],
);
const rubbish = fc.oneof(
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join(' ')),
  fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.tuple(paths, fc.nat(), pieces).map(([path, at, piece]) => {
    const cut = at % (path.length + 1);
    return path.slice(0, cut) + piece + path.slice(cut + 1);
  }),
);

describe('LDPath', () => {
  it('compiled returns the same as a simple interpreter of the syntax tree', () => {
    const evaluator = new Evaluator();
    fc.assert(
      fc.property(graphs, paths, starts, (graph, path, start) => {
        const compiled = compilePath(path, { prefixes });
        const expected = new Interpreter(graph).select(parsePath(path, prefixes).path, start);
        assert.deepEqual(evaluator.evaluatePath(compiled, graph, start).map(canonical), expected);
      }),
      { numRuns: 1500 },
    );
  });

  it('printed and parsed again is the same tree', () => {
    fc.assert(
      fc.property(paths, (path) => {
        const tree = parsePath(path, prefixes).path;
        const printed = printSelector(tree);
        const again = parsePath(printed, {}).path;
        assert.deepEqual(bare(again), bare(tree), printed);
        assert.equal(printSelector(again), printed);
      }),
      { numRuns: 1500 },
    );
  });

  it('programs, printed and parsed again, are the same', () => {
    const field = fc
      .tuple(
        fc.constantFrom('a', 'ex:b', 'is'),
        paths,
        fc.constantFrom('', ' :: xsd:int', ' :: xsd:date (k = "v w")'),
      )
      .map(([name, path, rest]) => `${name} = ${path}${rest} ;`);
    const directives = fc.constantFrom(
      '',
      '@prefix e : <http://e.org/> ;',
      '@filter foaf:a & @en ; @graph ex:g ;',
    );
    fc.assert(
      fc.property(directives, fc.array(field, { maxLength: 3 }), (directive, fields) => {
        const tree = parseProgram([directive, ...fields].join('\n'), prefixes).program;
        assert.deepEqual(bare(parseProgram(printProgram(tree), {}).program), bare(tree));
      }),
      { numRuns: 300 },
    );
  });

  it('throws only its own errors, for any text', () => {
    const evaluator = new Evaluator({ steps: 2000, totalTextLength: 100_000 });
    const attempt = (call: () => void): void => {
      try {
        call();
      } catch (error) {
        if (!(error instanceof LdPathError)) throw error;
      }
    };
    fc.assert(
      fc.property(rubbish, (text) => {
        const options = { prefixes };
        const alice = '<http://example.org/alice>';
        attempt(() => void evaluator.evaluatePath(compilePath(text, options), people, alice));
        attempt(() => void evaluator.evaluateProgram(compileProgram(text, options), people, alice));
        attempt(() => void compileProgram(`a = ${text} ;`, options));
      }),
      { numRuns: 3000 },
    );
  });

  it('writes valid JSON with the same values', () => {
    const evaluator = new Evaluator();
    const out = evaluator.newWriter();
    fc.assert(
      fc.property(graphs, paths, starts, (graph, path, start) => {
        const compiled = compilePath(path, { prefixes });
        const values = evaluator.evaluatePath(compiled, graph, start).map(canonical);
        out.clear();
        evaluator.writePath(compiled, graph, start, out);
        const written = JSON.parse(new TextDecoder().decode(out.slice())) as NodeObject[];
        assert.deepEqual(written.map(canonical), [...new Set(values)]);
      }),
      { numRuns: 300 },
    );
  });
});
