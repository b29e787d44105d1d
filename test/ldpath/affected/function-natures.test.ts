import assert from 'node:assert/strict';
import { it } from 'node:test';
import { functionNature, natures } from '../../../src/ldpath/affected/function-natures.ts';
import { functionCallOf } from '../../../src/ldpath/affected/selector-relation.ts';
import { compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { selectorFunctions, testFunctions } from '../../../src/ldpath/functions/catalog.ts';
import type { LdPathFunction } from '../../../src/ldpath/functions/function.ts';
import type { Call } from '../../../src/ldpath/syntax/ast.ts';
import { parsePath } from '../../../src/ldpath/syntax/parser.ts';
import { prefixes } from '../support.ts';

class WatchedGraph {
  lookups = 0;
  readonly graph: IndexedGraph;

  constructor() {
    const found = IndexedGraph.of([{ subject: '<urn:a>', predicate: '<urn:p>', object: '"1"' }]);
    this.graph = new Proxy(found, {
      get: (target, name) => {
        if (!['terms', 'find', 'shown', 'text'].includes(String(name))) this.lookups++;
        const value = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }
}

/** Calls with as few arguments as possible and with more, of nodes and of numbers. */
function calls({ name, minArguments, maxArguments }: LdPathFunction): string[] {
  const most = Math.min(maxArguments, Math.max(minArguments, 3));
  return [minArguments, most].flatMap((count) =>
    ['.', '"1"'].map((first) => `fn:${name}(${[first, '"1"', '"1"'].slice(0, count).join(', ')})`),
  );
}

function lookupsOf(source: string): number {
  const watched = new WatchedGraph();
  new Evaluator().evaluateProgram(compileProgram(source, { prefixes }), watched.graph, '<urn:a>');
  return watched.lookups;
}

it('every selector function is listed, and nothing else', () => {
  assert.deepEqual([...natures.keys()].sort(), [...selectorFunctions.keys()].sort());
});

for (const called of selectorFunctions.values()) {
  it(`fn:${called.name} looks up triples exactly if it says so`, () => {
    const sources = calls(called);
    const { path } = parsePath(sources[0]!, prefixes);
    const says = functionNature(called.name).lookups(functionCallOf(path as Call)).length > 0;
    assert.equal(
      sources.some((call) => lookupsOf(`f = ${call} ;`) > 0),
      says,
    );
  });
}

for (const called of testFunctions.values()) {
  it(`fn:${called.name} looks up no triples`, () => {
    for (const call of calls(called)) assert.equal(lookupsOf(`f = .[${call}] ;`), 0, call);
  });
}
