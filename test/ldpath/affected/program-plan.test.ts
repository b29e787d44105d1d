import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AffectedPlan, compileAffected } from '../../../src/ldpath/affected/program-plan.ts';
import { prefixes } from '../support.ts';
import { changeOf, ex } from './one-change.ts';

const planOf = (program: string): AffectedPlan => compileAffected(program, undefined, { prefixes });

/** The nodes that an additional triple affects, by their local names. */
function affected(program: string, data: string, added: string, limit = 1000): string[] | 'too-many' {
  const { present, changes } = changeOf({ data, added });
  const found = planOf(program).starts([changes.added, changes.removed], changes, present, limit);
  return found === 'too-many' ? found : [...found].map((id) => ex(changes.text(id))).sort();
}

/** Data, an additional triple, and the nodes affected. */
const cases: readonly (readonly [program: string, data: string, added: string, starts: readonly string[]])[] =
  [
    ['f = ex:p ;', '', 'a p b', ['a']],
    ['f = ex:p ;', '', 'a q b', []],
    ['f = ^ex:p ;', '', 'a p b', ['b']],
    ['f = ^ex:p ;', '', 'a p "b"', []],
    ['f = ex:p / ex:q ;', 'a p b. c p b. d q b', 'b q e', ['a', 'c']],
    ['f = ex:p / ^ex:q ;', 'a p b. c q b', 'd q b', ['a']],
    ['f = ex:p+ ;', 'a p b. b p c. d p e', 'c p x', ['a', 'b', 'c']],
    ['f = ex:p{2} ;', 'a p b. b p c. c p d', 'd p e', ['c', 'd']],
    ['f = ^(ex:p / ex:q) ;', 'c q d', 'b p c', ['d']],
    ['f = ex:name / ^(ex:name) ;', 'a name "x"', 'b name "x"', ['a', 'b']],
    ['f = ex:p[ex:q is ex:x] ;', 'a p b', 'b q x', ['a']],
    ['f = ex:p[ex:q is ex:x] ;', 'a p b', 'b q y', []],
    ['f = ex:p[is-a ex:C] ;', 'a p b. c p b', 'b type C', ['a', 'c']],
    ['f = ex:p[is-a ex:C] ;', 'a p b', 'b type D', []],
    ['f = ex:p[!(fn:eq(ex:q, 1))] ;', 'a p b', 'b q "1"', ['a']],
    ['f = fn:concat(ex:p/ex:q, ex:r) ;', 'a p b', 'b q "x"', ['a']],
    ['f = fn:first(ex:p, ex:q)/ex:r ;', 'a p b. c q b', 'b r d', ['a', 'c']],
    ['f = ex:p/fn:flatten() ;', 'a p l. l rest m. m rest n', 'n first "x"', ['a']],
    ['f = fn:get(ex:p, 1)/ex:q ;', 'a p l. l rest m. m first b. c p o. o _2 b', 'b q x', ['a', 'c']],
    ['f = fn:types(ex:p)/ex:label ;', 'a p b. b type C. c type C', 'C label "c"', ['a']],
    ['f = ex:p/fn:predicates() ;', 'a p b', 'b anything "x"', ['a']],
    ['f = ~ex:p / ex:q ;', 'sub subPropertyOf p. a sub b. c p b. d other b', 'b q x', ['a', 'c']],
    ['f = "x"/ex:p ; g = "x"[ex:q] ;', '', 'a p b', []],
    ['@filter ex:p ; f = . ;', '', 'a p b', ['a']],
    ['@boost ex:p/ex:q ; f = . ;', 'a p b', 'b q "2"', ['a']],
    ['f = (ex:p & fn:iri(ex:t))/ex:q ;', 'a p b', 'b q c', ['a']],
    ['f = fn:upper(ex:p)/ex:q ;', '', 'b q c', []],
  ];

describe('AffectedPlan', () => {
  for (const [program, data, added, starts] of cases) {
    it(`${program} after ${added}`, () => {
      assert.deepEqual(affected(program, data, added), starts);
    });
  }

  it('says that everything may be affected when a sub-property is declared', () => {
    assert.equal(affected('f = ~ex:p ;', 'a q b', 'q subPropertyOf p'), 'too-many');
    assert.deepEqual(affected('f = ~ex:p ;', 'a q b', 'q subPropertyOf other'), []);
  });

  it('says that everything may be affected by what a constant leads to', () => {
    assert.equal(affected('f = "x"/^(ex:p) ;', '', 'a p "x"'), 'too-many');
    assert.deepEqual(affected('f = "x"/^(ex:p) ;', '', 'a p "y"'), []);
  });

  it('gives up beyond its limit', () => {
    const data = 'a p h. b p h. c p h. d p h';
    assert.deepEqual(affected('f = ex:p/ex:q ;', data, 'h q x', 4), ['a', 'b', 'c', 'd']);
    assert.equal(affected('f = ex:p/ex:q ;', data, 'h q x', 3), 'too-many');
  });

  it('sees the graphs of @graph alone', () => {
    const program = '@graph <http://example.org/g> ; f = ex:p/ex:q ;';
    assert.deepEqual(affected(program, 'a p b g. c p b h', 'b q x g'), ['a']);
    assert.deepEqual(affected(program, 'a p b g', 'b q x h'), []);
  });

  it('gives up before it has read all triples of a hub', () => {
    const hub = Array.from({ length: 1000 }, (_, i) => `n${i} p hub. hub _1 n${i}`).join('. ');
    for (const program of ['f = ex:p/ex:q ;', 'f = ex:r/^ex:p/ex:q ;', 'f = ex:p/ex:q[^ *] ;']) {
      const { present, changes } = changeOf({ data: hub, added: 'hub q x' });
      let read = 0;
      const counting = new Proxy(present, {
        get: (target, name) => {
          const value = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          return (...args: unknown[]) => {
            const result: unknown = value.apply(target, args);
            if (Array.isArray(result)) read += result.length;
            for (const arg of args) if (Array.isArray(arg)) read += arg.length;
            return result;
          };
        },
      });
      planOf(program).starts([changes.added], changes, counting, 10);
      assert.ok(read < 300, `${program}: ${read}`);
    }
  });

  it('finds starts through terms that the dictionary has dropped', () => {
    const { present, changes } = changeOf({ data: 'a q b', removed: 'c p "gone". gone p b', byText: true });
    const found = planOf('f = ex:p ; g = "gone"/^ex:p ;').starts([changes.unsure], changes, present, 100);
    assert.notEqual(found, 'too-many');
    assert.deepEqual([...(found as Set<number>)].map((id) => ex(changes.text(id))).sort(), ['c', 'gone']);
  });
});

describe('A program that cannot be traced back', () => {
  for (const [program, reason] of [
    ['f = fn:iri(ex:ref)/ex:name ;', /fn:iri selects \(line 1, column 5\)/],
    ['f = ex:p/fn:concat(.)/^(ex:name) ;', /fn:concat/],
    ['f = fn:predicates()/ex:label ;', /fn:predicates/],
    ['f = ( *)+ ;', /a repeated \*/],
    ['f = (^* | ex:p)*[ex:q] ;', /a repeated \*/],
    ['f = ex:p[fn:datatype(.)/ex:label] ;', /fn:datatype/],
  ] as const) {
    it(`says so: ${program}`, () => {
      const { incremental } = planOf(program);
      assert.ok(!incremental.incremental);
      assert.match(incremental.reason, reason);
    });
  }

  for (const program of [
    'f = fn:iri(ex:ref) ;',
    'f = fn:concat(ex:p, ex:q)/ex:r ;',
    'f = fn:predicates()/fn:local() ;',
    'f = ex:p/ */^*!(ex:q) ;',
    'f = ex:p{1,3}/fn:replace(., "a", "b") ;',
  ]) {
    it(`can be: ${program}`, () => assert.deepEqual(planOf(program).incremental, { incremental: true }));
  }

  it('is never searched', () => {
    assert.equal(affected('f = fn:iri(ex:ref)/ex:name ;', '', 'a unrelated b'), 'too-many');
  });
});
