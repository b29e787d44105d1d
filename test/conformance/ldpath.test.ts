/**
 * The language against recorded results of its reference implementation. The vectors lie outside the project; how to
 * compare is said there. Where we differ on purpose, `ldpath-differences.md` has the case and the reason; a case
 * listed there that passes is a failure too, so that the list stays true.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compilePath, compileProgram } from '../../src/ldpath/compiler.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import { Evaluator } from '../../src/ldpath/evaluation.ts';
import { parseProgram } from '../../src/ldpath/parser.ts';
import type { NodeObject } from '../../src/ldpath/result-json.ts';
import { graphOf } from '../ldpath/support.ts';

const vectors = new URL('../../../shared/vectors/ldpath/', import.meta.url);
const areas = [
  'programs',
  'selectors',
  'tests',
  'recursion',
  'transformers',
  'parse-errors',
  'functions-core',
  'functions-text',
  'functions-math',
  'functions-date',
  'functions-collections',
  'functions-html',
  'functions-json',
  'functions-xml',
];

interface Case {
  readonly id: string;
  readonly data: string;
  readonly start: string;
  readonly kind: 'path' | 'program' | 'parse';
  readonly source: string;
  readonly expect: {
    readonly ok?: unknown;
    readonly error?: 'parse' | 'evaluation';
    readonly ordered?: boolean;
  };
}

interface ParsedExpectation {
  readonly prefixes: Record<string, string>;
  readonly graphs: readonly string[];
  readonly filter?: string;
  readonly boost?: string;
  readonly fields: readonly { name: string; type: string | null; config?: Record<string, string> }[];
}

const differences = new Set(
  Array.from(
    readFileSync(new URL('ldpath-differences.md', import.meta.url), 'utf8').matchAll(
      /^\| `([a-z]+(?:-[a-z]+)*-\d+)`/gm,
    ),
    (match) => match[1]!,
  ),
);

for (const area of areas) {
  const file = new URL(`${area}.json`, vectors);
  describe(`reference vectors: ${area}`, {
    skip: existsSync(file) ? false : 'the vectors are not here',
  }, () => {
    if (!existsSync(file)) return;
    for (const one of JSON.parse(readFileSync(file, 'utf8')) as Case[]) {
      if (differences.has(one.id)) it(`${one.id} differs, as listed`, () => assert.throws(() => check(one)));
      else it(`${one.id} ${JSON.stringify(one.source).slice(0, 80)}`, () => check(one));
    }
  });
}

function check(one: Case): void {
  const { expect } = one;
  if (expect.error === 'parse') assert.throws(() => compile(one), LdPathError);
  else if (expect.error === 'evaluation') assert.ok(failsLeniently(one), 'neither an error nor a warning');
  else if (one.kind === 'parse') checkSyntax(one, expect.ok as ParsedExpectation);
  else checkValues(one);
}

function compile({ kind, source }: Case) {
  return kind === 'path' ? compilePath(source, { prefixes: {} }) : compileProgram(source, { prefixes: {} });
}

/** Where the reference gives up, we refuse the program or skip the value with a warning. */
function failsLeniently(one: Case): boolean {
  try {
    return evaluate(one).warnings > 0;
  } catch (error) {
    return error instanceof LdPathError;
  }
}

interface Evaluated {
  readonly fields: Record<string, NodeObject[]>;
  /** Names of the fields that a transformer converts. */
  readonly typed: ReadonlySet<string>;
  readonly warnings: number;
}

function evaluate({ kind, source, data, start }: Case): Evaluated {
  const evaluator = new Evaluator();
  const graph = graphOf(data);
  const node = `<${start}>`;
  if (kind === 'path') {
    const values = evaluator.evaluatePath(compilePath(source, { prefixes: {} }), graph, node);
    return { fields: { path: values }, typed: new Set(), warnings: evaluator.warnings.length };
  }
  const program = compileProgram(source, { prefixes: {} });
  const fields = Object.fromEntries(evaluator.evaluateProgram(program, graph, node));
  const typed = new Set(program.fields.filter(({ type }) => type !== undefined).map(({ name }) => name));
  return { fields, typed, warnings: evaluator.warnings.length };
}

function checkValues(one: Case): void {
  const { fields, typed } = evaluate(one);
  const expected = (one.kind === 'path' ? { path: one.expect.ok } : one.expect.ok) as Record<
    string,
    NodeObject[]
  >;
  assert.deepEqual(Object.keys(fields).sort(), Object.keys(expected).sort());
  for (const [name, nodes] of Object.entries(expected)) {
    const [actual, wanted] = [fields[name]!, nodes].map((list) =>
      list.map((node) => comparable(node, typed.has(name))),
    );
    if (one.expect.ordered !== true) for (const list of [actual!, wanted!]) list.sort();
    assert.deepEqual(actual, wanted, name);
  }
}

/** What a transformer made is shown as a plain literal there, and numbers in another form. */
function comparable(node: NodeObject, isTyped: boolean): string {
  const { type, value } = node;
  const datatype = node.datatype === 'http://www.w3.org/2001/XMLSchema#string' ? undefined : node.datatype;
  if (!isTyped) return JSON.stringify([type, value, node.lang?.toLowerCase(), datatype]);
  return JSON.stringify([
    type,
    /\d[.eE][\dE]/.test(value) && !Number.isNaN(Number(value)) ? Number(value) : value,
  ]);
}

function checkSyntax(one: Case, expected: ParsedExpectation): void {
  const { program: syntax } = parseProgram(one.source, {});
  assert.deepEqual(Object.fromEntries(syntax.prefixes), expected.prefixes);
  assert.deepEqual(syntax.graphs, expected.graphs);
  assert.equal(syntax.filters.length > 0, expected.filter !== undefined);
  assert.equal(syntax.boost !== undefined, expected.boost !== undefined);
  assert.deepEqual(
    syntax.fields.map(({ name, type, configuration }) => ({
      name,
      type: type ?? null,
      config: Object.fromEntries(configuration),
    })),
    expected.fields.map(({ name, type, config }) => ({ name, type, config: config ?? {} })),
  );
}
