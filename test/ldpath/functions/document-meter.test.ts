import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath } from '../../../src/ldpath/compile/compiler.ts';
import { LdPathError } from '../../../src/ldpath/errors.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { MAX_DOCUMENT_CHARACTERS } from '../../../src/ldpath/functions/document-meter.ts';
import { formatTerm, literal } from '../../../src/rdf/model/term.ts';

const subject = '<http://example.org/d>';
const predicate = '<http://example.org/text>';

function evaluate(evaluator: Evaluator, call: string, text: string): number {
  const object = formatTerm(literal(text, 'http://www.w3.org/2001/XMLSchema#string'));
  const path = compilePath(call.replace('TEXT', 'ex:text'), { prefixes: { ex: 'http://example.org/' } });
  return evaluator.evaluatePath(path, IndexedGraph.of([{ subject, predicate, object }]), subject).length;
}

let documents = 0;

/** Whether so many steps are enough. */
function isEnough(steps: number, call: string, text: string): boolean {
  try {
    // A document that was read before is kept, and costs less.
    evaluate(new Evaluator({ steps }), call, `${text}<!-- ${String(documents++).padStart(6)} -->`);
    return true;
  } catch (error) {
    assert.ok(error instanceof LdPathError && error.code === 'budget-exceeded', String(error));
    return false;
  }
}

/** The least number of steps that is enough. */
function cost(call: string, text: string): number {
  let [low, high] = [0, 100_000];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isEnough(middle, call, text)) high = middle;
    else low = middle + 1;
  }
  return low;
}

describe('documents', () => {
  const xml = (elements: number) => `<r>${'<b/>'.repeat(elements)}</r>`;

  it('cost 32 steps for every 256 nodes that the parser creates', () => {
    // As many characters, which cost steps too, in one node.
    const text = `<r>${'x'.repeat(4 * 2560)}</r>`;
    assert.equal(cost('fn:xpath("/r", TEXT)', xml(2560)) - cost('fn:xpath("/r", TEXT)', text), 320);
  });

  it('cost the same regardless of earlier evaluations', () => {
    const steps = cost('fn:xpath("/r", TEXT)', xml(200));
    for (let i = 0; i < 5; i++) assert.ok(isEnough(steps, 'fn:xpath("/r", TEXT)', xml(200)));
  });

  it('may be exactly as long as the limit allows', () => {
    const json = (length: number) => `{"a":1}${' '.repeat(length - 7)}`;
    const evaluator = new Evaluator();
    assert.equal(evaluate(evaluator, 'fn:jsonpath("$.a", TEXT)', json(MAX_DOCUMENT_CHARACTERS)), 1);
    assert.throws(
      () => evaluate(evaluator, 'fn:jsonpath("$.a", TEXT)', json(MAX_DOCUMENT_CHARACTERS + 1)),
      /A document has more than 1048576 characters/,
    );
  });
});
