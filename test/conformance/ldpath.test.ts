/**
 * Compares the language with recorded results of its reference implementation. Deliberate
 * differences are listed with their reasons in `ldpath-differences.md`. A listed case that passes
 * is a failure too, so that the list stays correct.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath, compileProgram } from '../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../src/ldpath/errors.ts';
import { Evaluator } from '../../src/ldpath/evaluate/evaluation.ts';
import { parseProgram } from '../../src/ldpath/syntax/parser.ts';
import { graphOf } from '../ldpath/support.ts';
import {
  assertSameFields,
  type Case,
  casesByArea,
  differences,
  expectedFields,
  type Fields,
} from './vectors.ts';

interface ParsedExpectation {
  readonly prefixes: Record<string, string>;
  readonly graphs: readonly string[];
  readonly filter?: string;
  readonly boost?: string;
  readonly fields: readonly { name: string; type: string | null; config?: Record<string, string> }[];
}

describe('reference vectors', () => {
  const cases = [...casesByArea.values()].flat();

  it('are complete', () => {
    assert.equal(new Set(cases.map(({ id }) => id)).size, 411);
  });

  it('include every case that is listed as a difference', () => {
    const ids = new Set(cases.map(({ id }) => id));
    assert.deepEqual(
      [...differences].filter((id) => !ids.has(id)),
      [],
    );
  });
});

for (const [area, cases] of casesByArea) {
  describe(`reference vectors: ${area}`, () => {
    for (const one of cases) {
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
  else assertSameFields(one, evaluate(one).fields, expectedFields(one));
}

function compile({ kind, source }: Case) {
  return kind === 'path' ? compilePath(source, { prefixes: {} }) : compileProgram(source, { prefixes: {} });
}

/** If the reference gives up, we reject the program or skip the value with a warning. */
function failsLeniently(one: Case): boolean {
  try {
    return evaluate(one).warnings > 0;
  } catch (error) {
    return error instanceof LdPathError;
  }
}

function evaluate({ kind, source, data, start }: Case): { fields: Fields; warnings: number } {
  const evaluator = new Evaluator();
  const graph = graphOf(data);
  const node = `<${start}>`;
  const fields =
    kind === 'path'
      ? { path: evaluator.evaluatePath(compilePath(source, { prefixes: {} }), graph, node) }
      : Object.fromEntries(evaluator.evaluateProgram(compileProgram(source, { prefixes: {} }), graph, node));
  return { fields, warnings: evaluator.warnings.length };
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
