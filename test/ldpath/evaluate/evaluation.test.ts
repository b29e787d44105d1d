import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compilePath, compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { Evaluator } from '../../../src/ldpath/evaluate/evaluation.ts';
import { IndexedGraph } from '../../../src/ldpath/evaluate/indexed-graph.ts';
import { formatTerm, languageLiteral, literal, XSD } from '../../../src/rdf/model/term.ts';
import { concepts, errorOf, graphOf, people, prefixes, run, select } from '../support.ts';

const alice = '<http://example.org/alice>';

function json(path: string, graph = people, start = alice): unknown {
  const evaluator = new Evaluator();
  const out = evaluator.newWriter();
  evaluator.writePath(compilePath(path, { prefixes }), graph, start, out);
  return JSON.parse(new TextDecoder().decode(out.slice()));
}

describe('programs', () => {
  it('return all fields in the order of declaration; the last of several with one name wins', () => {
    const { fields } = run(people, 'alice', 'x = foaf:name ; none = foaf:none ; x = foaf:nick ; ex:y = . ;');
    assert.deepEqual(Object.entries(fields), [
      ['none', []],
      ['x', ['"Al"', '"Ali"']],
      ['http://example.org/y', ['ex:alice']],
    ]);
  });

  it('read only the graphs that @graph names', () => {
    const graph = graphOf('ex:g { ex:a ex:p 1 } ex:h { ex:a ex:p 2 } ex:a ex:p 3 .');
    const values = (directive: string) => run(graph, 'a', `${directive} x = ex:p ;`).fields['x'];
    assert.deepEqual(values('@graph ex:g ;'), ['"1"^^xsd:integer']);
    assert.deepEqual(values('@graph ex:g, ex:h ;'), ['"1"^^xsd:integer', '"2"^^xsd:integer']);
    assert.deepEqual(values('@graph ex:nothing ;'), []);
    assert.equal(values('')!.length, 3);
  });

  it('evaluate @filter only on request, and never drop results because of it', () => {
    const program = compileProgram('@filter is-a foaf:Person ; @filter foaf:age ; x = foaf:name ;', {
      prefixes,
    });
    const evaluator = new Evaluator();
    const carol = '<http://example.org/carol>';
    assert.equal(evaluator.acceptsStart(program, people, alice), true);
    assert.equal(evaluator.acceptsStart(program, people, carol), false);
    assert.equal(evaluator.evaluateProgram(program, people, carol).get('x')!.length, 1);
  });

  it('return the first number that @boost selects, or 1', () => {
    const evaluator = new Evaluator();
    const boost = (text: string) => evaluator.boost(compileProgram(text, { prefixes }), people, alice);
    assert.equal(boost('@boost foaf:name | foaf:age ;'), 42);
    assert.equal(boost('@boost foaf:name ;'), 1);
    assert.equal(boost(''), 1);
  });
});

describe('results as JSON', () => {
  it('use the node objects of the HTTP interface', () => {
    const graph = graphOf(
      'ex:alice ex:p ex:iri, _:b7, "plain", "Bier \\"groß\\"\\n\\u0001"@DE, "5"^^xsd:integer, "s"^^xsd:string, "\\\\", "" .',
    );
    assert.deepEqual(json('ex:p', graph), [
      { type: 'uri', value: 'http://example.org/iri' },
      { type: 'bnode', value: 'b7' },
      { type: 'literal', value: 'plain' },
      { type: 'literal', value: 'Bier "groß"\n\u0001', lang: 'de' },
      { type: 'literal', value: '5', datatype: 'http://www.w3.org/2001/XMLSchema#integer' },
      { type: 'literal', value: 's' },
      { type: 'literal', value: '\\' },
      { type: 'literal', value: '' },
    ]);
  });

  it('equal the results in memory for any kind and number of terms', () => {
    const value = fc.string({ unit: 'binary', maxLength: 40 });
    const node = fc.oneof(
      value.map((text) => formatTerm(literal(text))),
      fc.tuple(value, fc.constantFrom('de', 'en-gb')).map((parts) => formatTerm(languageLiteral(...parts))),
      fc.tuple(value, fc.constantFrom('urn:t', `${XSD}date`)).map((parts) => formatTerm(literal(...parts))),
      fc.webUrl({ size: 'xsmall' }).map((url) => `<${url}>`),
      fc.nat(99).map((label) => `_:b${label}`),
      fc.integer({ min: 500, max: 3000 }).map((length) => `"${'ü'.repeat(length)}"`),
    );
    fc.assert(
      fc.property(fc.array(node, { maxLength: 200, size: 'max' }), (objects) => {
        const quads = objects.map((object) => ({
          subject: alice,
          predicate: '<http://example.org/p>',
          object,
        }));
        const graph = IndexedGraph.of(quads);
        const expected = new Evaluator().evaluatePath(compilePath('ex:p', { prefixes }), graph, alice);
        assert.deepEqual(json('ex:p', graph), expected);
      }),
      { numRuns: 50 },
    );
  });

  it('contain the same converted values and give the same warnings as the results in memory', () => {
    const digits = fc.stringMatching(/^-?[0-9]{1,11}$/);
    const lexical = fc.oneof(
      digits,
      fc.string(),
      fc.constantFrom('', '007', '1.0', 'true', '2020-01-02', '+5'),
    );
    const node = fc.oneof(
      fc
        .tuple(lexical, fc.constantFrom(`${XSD}integer`, `${XSD}string`))
        .map((parts) => formatTerm(literal(...parts))),
      lexical.map((text) => formatTerm(languageLiteral(text, 'en'))),
      fc.constantFrom('<http://example.org/x>', '_:b1'),
    );
    const types = ['string', 'int', 'long', 'integer', 'short', 'decimal', 'boolean', 'date', 'anyURI'];
    const program = compileProgram(types.map((type) => `${type} = ex:p :: xsd:${type} ;`).join('\n'), {
      prefixes,
    });
    fc.assert(
      fc.property(fc.array(node, { maxLength: 20 }), (objects) => {
        const quads = objects.map((object) => ({
          subject: alice,
          predicate: '<http://example.org/p>',
          object,
        }));
        const graph = IndexedGraph.of(quads);
        const evaluator = new Evaluator();
        const expected = evaluator.evaluateProgram(program, graph, alice);
        const warnings = [...evaluator.warnings];
        const out = evaluator.newWriter();
        evaluator.writeProgram(program, graph, alice, out);
        assert.deepEqual(JSON.parse(new TextDecoder().decode(out.slice())), Object.fromEntries(expected));
        assert.deepEqual(evaluator.warnings, warnings);
      }),
      { numRuns: 200 },
    );
  });

  it('include terms created by the evaluation, and start nodes that are not in the graph', () => {
    assert.deepEqual(json('fn:concat(foaf:name, " \\ 😀")'), [{ type: 'literal', value: 'Alice \\ 😀' }]);
    assert.deepEqual(json("'a\"b\\n'@fr"), [{ type: 'literal', value: 'a"b\n', lang: 'fr' }]);
    assert.deepEqual(json('.', people, '_:nobody'), [{ type: 'bnode', value: 'nobody' }]);
    assert.deepEqual(json('.', people, '<http://e.org/"x>'), [{ type: 'uri', value: 'http://e.org/"x' }]);
  });

  it('list each node once, even if a function returns it twice', () => {
    const twice = graphOf('ex:alice ex:list ( "d" "d" ) .');
    assert.equal((json('fn:flatten(ex:list)', twice) as unknown[]).length, 1);
    assert.deepEqual(select(twice, 'alice', 'fn:flatten(ex:list)'), ['"d"', '"d"']);
  });

  it('follow each other in the buffer; a failed result is removed', () => {
    const evaluator = new Evaluator({ steps: 20 });
    const out = evaluator.newWriter();
    const program = compileProgram('"name" = x ;'.replace('"name" = x', 'name = foaf:name'), { prefixes });
    evaluator.writeProgram(program, people, alice, out);
    const long = compileProgram('a = foaf:name ; b = (foaf:knows | ^foaf:knows){1,100} ;', { prefixes });
    assert.equal(errorOf(() => evaluator.writeProgram(long, people, alice, out)).code, 'budget-exceeded');
    evaluator.writePath(compilePath('foaf:missing', { prefixes }), people, alice, out);
    assert.equal(new TextDecoder().decode(out.slice()), '{"name":[{"type":"literal","value":"Alice"}]}[]');
  });

  it('include values that are larger than the buffer', () => {
    const long = 'x'.repeat(100_000);
    const graph = graphOf(`ex:alice ex:p "${long}" .`);
    assert.deepEqual(json('ex:p', graph), [{ type: 'literal', value: long }]);
  });
});

describe('budgets', () => {
  const code = (path: string, budget: object) => errorOf(() => select(people, 'alice', path, budget));

  it('limit the steps; the error names the construct (P-31)', () => {
    const error = code('(foaf:knows){1,1000000}', { steps: 10_000 });
    assert.equal(error.code, 'budget-exceeded');
    assert.match(error.message, /10000 steps in .*foaf:knows/);
    assert.deepEqual([error.details.line, error.details.source], [1, 'path']);
  });

  it('allow exactly the given number of steps', () => {
    const steps = 3 + 1;
    assert.equal(select(people, 'alice', 'foaf:knows/foaf:name', { steps }).length, 2);
    assert.equal(code('foaf:knows/foaf:name', { steps: steps - 1 }).code, 'budget-exceeded');
  });

  it('charge the same for look-ups made together as for single ones', () => {
    const wide = graphOf(
      Array.from({ length: 200 }, (_, i) => `ex:a ex:p ex:n${i} . ex:n${i} ex:q "${i}", "x" .`).join('\n'),
    );
    const steps = 1 + 200 + 1;
    assert.equal(select(wide, 'a', 'ex:p/ex:q', { steps }).length, 201);
    assert.equal(errorOf(() => select(wide, 'a', 'ex:p/ex:q', { steps: steps - 1 })).code, 'budget-exceeded');
    assert.match(errorOf(() => select(wide, 'a', 'ex:p/ex:q', { terms: 300 })).message, /300 terms/);
  });

  it('keep counting steps after each check of the clock, even if many steps are charged at once', () => {
    const wide = graphOf(
      Array.from({ length: 1500 }, (_, i) => `ex:a ex:p ex:n${i} . ex:n${i} ex:q ex:m${i} .`).join('\n'),
    );
    const steps = 1 + 1500 + 1500 + 1;
    assert.deepEqual(select(wide, 'a', 'ex:p/ex:q/ex:r', { steps }), []);
    const path = 'ex:p/ex:q/ex:r';
    assert.equal(errorOf(() => select(wide, 'a', path, { steps: steps - 1 })).code, 'budget-exceeded');
  });

  it('end recursion that creates new terms forever', () => {
    assert.equal(code('(fn:concat(., "x"))+', { steps: 50_000 }).code, 'budget-exceeded');
    assert.equal(code('(fn:concat(., .))+', {}).code, 'budget-exceeded');
  });

  it('limit the number of terms held at once', () => {
    assert.match(code('(foaf:knows | ^foaf:knows | *)*', { terms: 5 }).message, /5 terms/);
  });

  it('count the terms of a test only until the test ends', () => {
    const wide = graphOf(
      Array.from({ length: 200 }, (_, i) => `ex:a ex:p ex:n${i} . ex:n${i} ex:q "1", "2" .`).join('\n'),
    );
    for (const path of ['ex:p[ex:q/. is "2"]', 'ex:p[ex:q/.]', 'ex:p[!(ex:q/. is "3")]']) {
      assert.equal(select(wide, 'a', path, { terms: 300 }).length, 200, path);
    }
  });

  it('count arguments of functions and work lists of repetitions as terms held', () => {
    const wide = graphOf(Array.from({ length: 100 }, (_, i) => `ex:a ex:p ex:n${i} .`).join('\n'));
    for (const path of [
      'fn:count(ex:p, ex:p, ex:p)',
      'fn:count(fn:first(fn:first(ex:p)))',
      'ex:p+',
      'ex:p{1,2}',
      '.[fn:eq(ex:p, ex:p)]',
    ]) {
      assert.equal(errorOf(() => select(wide, 'a', path, { terms: 99 })).code, 'budget-exceeded', path);
    }
    assert.equal(select(wide, 'a', 'fn:count(ex:p) | ex:p', { terms: 250 }).length, 101);
    const text = `fn:split("${'x'.repeat(1000)}", "x")`;
    assert.match(errorOf(() => select(wide, 'a', text, { terms: 500 })).message, /500 terms/);
  });

  it('charge for the pairs that a test compares', () => {
    const wide = graphOf(Array.from({ length: 300 }, (_, i) => `ex:a ex:p ${i} .`).join('\n'));
    const path = '.[fn:lt(ex:p, 1000) & fn:ne(ex:p, ex:p)]';
    assert.equal(
      errorOf(() =>
        select(wide, 'a', '.[fn:anyGt(ex:p, 1000) | fn:anyGt(ex:p/., ex:p/"9999")]', { steps: 500 }),
      ).code,
      'budget-exceeded',
    );
    assert.deepEqual(select(wide, 'a', path), []);
  });

  it('limit the size of a result', () => {
    const evaluator = new Evaluator({ resultBytes: 40 });
    const out = evaluator.newWriter();
    const error = errorOf(() =>
      evaluator.writePath(compilePath('foaf:knows', { prefixes }), people, alice, out),
    );
    assert.equal(error.code, 'budget-exceeded');
    assert.equal(out.length, 0);
  });

  it('allow exactly the given number of bytes in a result', () => {
    const graph = graphOf(
      Array.from({ length: 150 }, (_, i) => `ex:alice ex:p "${i}"@en, ex:n${i} .`).join('\n'),
    );
    const path = compilePath('ex:p', { prefixes });
    const write = (resultBytes: number) => {
      const evaluator = new Evaluator({ resultBytes });
      const out = evaluator.newWriter();
      evaluator.writePath(path, graph, alice, out);
      return out.length;
    };
    const length = write(1_000_000);
    assert.equal(write(length), length);
    assert.equal(errorOf(() => write(length - 1)).code, 'budget-exceeded');
  });

  it('limit the elapsed time', () => {
    let now = 0;
    const evaluator = new Evaluator({ milliseconds: 100 }, () => (now += 60));
    const path = compilePath('(foaf:knows){1,1000000}', { prefixes });
    const error = errorOf(() => evaluator.evaluatePath(path, people, alice));
    assert.equal(error.code, 'time-limit');
    assert.match(error.message, /100 ms/);
  });

  it('start afresh for each evaluation', () => {
    const evaluator = new Evaluator({ steps: 10 });
    const path = compilePath('foaf:knows/foaf:name', { prefixes });
    for (let i = 0; i < 10; i++) assert.equal(evaluator.evaluatePath(path, people, alice).length, 2);
  });
});

describe('compiled programs', () => {
  it('evaluate correctly on one graph after another', () => {
    const path = compilePath('foaf:knows[foaf:name is "Bob"]/"new"', { prefixes });
    const other = graphOf('ex:x foaf:name "Bob" . ex:alice foaf:knows ex:x .');
    const evaluator = new Evaluator();
    for (const graph of [people, other, concepts, people]) {
      const expected = graph === concepts ? [] : [{ type: 'literal', value: 'new' }];
      assert.deepEqual(evaluator.evaluatePath(path, graph, alice), expected);
    }
  });

  it('follow chains that are much longer than the call stack is deep', () => {
    const length = 50_000;
    const chain = graphOf(Array.from({ length }, (_, i) => `ex:n${i} ex:p ex:n${i + 1} .`).join('\n'));
    assert.equal(select(chain, 'n0', 'ex:p+').length, length);
    assert.equal(select(chain, 'n0', 'ex:p{1,}').length, length);
  });
});
