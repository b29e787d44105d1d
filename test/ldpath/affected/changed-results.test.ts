import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changedResults } from '../../../src/ldpath/affected/changed-results.ts';
import { compileAffected } from '../../../src/ldpath/affected/program-plan.ts';
import { compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import type { DeclaredStartSet } from '../../../src/rdf/model/resources/start-set.ts';
import { prefixes } from '../support.ts';
import { changeOf, ex, type OneChange } from './one-change.ts';

interface Given extends OneChange {
  readonly program: string;
  readonly starts?: DeclaredStartSet;
  readonly evaluator?: Evaluator;
}

/** The changed results, each as `uri values`, `uri deleted` or `uri code of the error`. */
function changedBy({ program, starts, evaluator = new Evaluator(), ...change }: Given): string[] {
  const parts = {
    program: compileProgram(program, { prefixes }),
    plan: compileAffected(program, starts, { prefixes }),
  };
  const changes = changedResults(parts, changeOf(change), evaluator, 1000);
  assert.notEqual(changes, 'too-many');
  return Array.from(changes as Exclude<typeof changes, 'too-many'>, ({ uri, document }) => {
    if (document === undefined) return `${ex(uri)} deleted`;
    if ('error' in document) return `${ex(uri)} ${document.error.code}`;
    const fields: Record<string, { value: string }[]> = JSON.parse(Buffer.from(document.result).toString());
    const values = Object.values(fields).flatMap((nodes) => nodes.map(({ value }) => ex(value)));
    return [ex(uri), ...values, ...(document.boost === undefined ? [] : [`boost ${document.boost}`])].join(
      ' ',
    );
  });
}

const person: DeclaredStartSet = { kind: 'type', iri: 'http://example.org/Person' };

it('a new value changes the results that show it, and no others', () => {
  const change = { data: 'a p b. c p b. d p e. b r y', added: 'b q "x"' };
  assert.deepEqual(changedBy({ program: 'f = ex:p/ex:q ;', ...change }), ['a x', 'c x']);
});

it('a triple that is in another graph as well changes nothing', () => {
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', data: 'a p b g', added: 'a p b h' }), []);
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', data: 'a p b g', removed: 'a p b h' }), []);
});

it('with @graph, a triple in another graph is a new one', () => {
  const program = '@graph <http://example.org/h> ; f = ex:p ;';
  assert.deepEqual(changedBy({ program, data: 'a p b g', added: 'a p b h' }), ['a b']);
});

it('a start resource without triples has no result any more', () => {
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', data: 'b p c', removed: 'a p b' }), ['a deleted']);
});

it('a start resource whose name the dictionary has dropped has no result any more', () => {
  const change = { data: 'b p c', removed: 'a p b', byText: true };
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', ...change }), ['a deleted']);
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', starts: person, ...change }), []);
  const typed = { ...change, removed: 'a type Person' };
  assert.deepEqual(changedBy({ program: 'f = . ;', starts: person, ...typed }), ['a deleted']);
});

it('a start resource enters and leaves a declared set', () => {
  const program = 'f = ex:p ;';
  const data = 'a p b';
  const graph: DeclaredStartSet = { kind: 'graph', iri: 'http://example.org/g' };
  assert.deepEqual(changedBy({ program, starts: person, data, added: 'a type Person' }), ['a b']);
  assert.deepEqual(changedBy({ program, starts: person, data, removed: 'a type Person' }), ['a deleted']);
  assert.deepEqual(changedBy({ program, starts: graph, data, added: 'a q x g' }), ['a b']);
  assert.deepEqual(changedBy({ program, starts: graph, data, removed: 'a q x g' }), ['a deleted']);
});

it('a start resource that @filter does not accept has no result', () => {
  const program = '@filter ex:ok ; f = ex:p ;';
  assert.deepEqual(changedBy({ program, data: 'a p b', added: 'a ok "y"' }), ['a b']);
  assert.deepEqual(changedBy({ program, data: 'a p b', removed: 'a ok "y"' }), ['a deleted']);
  assert.deepEqual(changedBy({ program, data: 'a p b', added: 'a p c' }), []);
});

it('another weight is another result', () => {
  const program = '@boost ex:weight ; f = ex:p ;';
  assert.deepEqual(changedBy({ program, data: 'a p b', added: 'a weight "2"' }), ['a b boost 2']);
});

it('blank nodes have no results', () => {
  assert.deepEqual(changedBy({ program: 'f = ex:p ;', data: 'a q _:n', added: '_:n p b' }), []);
});

it('an error is a result: the same error on both sides is no change', () => {
  const evaluator = new Evaluator({ steps: 4 });
  const program = 'f = ex:p/ex:q/ex:r ;';
  const many = 'a p b. a p c. a p d. a p e. b q x. c q x. d q x';
  assert.deepEqual(changedBy({ program, evaluator, data: many, added: 'x r y' }), ['x']);
  const changed = changedBy({ program, evaluator, data: 'a p b', added: 'a p c. a p d. b q x. c q x' });
  assert.ok(changed.includes('a budget-exceeded'), changed.join());
});

it('an exhausted time limit is the same error wherever it ends the evaluation', () => {
  const evaluator = new Evaluator({}, (steps) => {
    throw new LdPathError('time-limit', `at ${steps} and ${performance.now()}`);
  });
  const sum = Array.from({ length: 600 }, (_, i) => `a p "${i}"`).join('. ');
  assert.deepEqual(changedBy({ program: 'f = ex:p[ex:q] ;', evaluator, data: sum, added: 'a p "x"' }), []);
});

it('what cannot be compared is reported as it is now', () => {
  const change = { data: 'a p b. c p b', removed: 'a p gone', byText: true };
  assert.deepEqual(changedBy({ program: 'f = fn:firstOne(ex:p) ;', ...change }), ['a b']);
});
