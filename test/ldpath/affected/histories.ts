/** Random histories of small data, and random programs over the same names, for property tests. */
import fc from 'fast-check';
import type { DeclaredStartSet } from '../../../src/rdf/model/resources/start-set.ts';
import type { TextQuad } from '../../contracts/path-graph.contract.ts';
import { paths } from '../generators.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const iri = (name: string) => `<http://example.org/${name}>`;
const nodes = [...['a', 'b', 'c', 'd', 'e'].map(iri), '_:n1', '_:n2'];
const properties = ['p', 'q', 'r'].map(iri);
const literals = [
  '"x"',
  '"x"@en',
  '"X"@en-GB',
  '"7"^^<http://www.w3.org/2001/XMLSchema#integer>',
  '"12"',
  '"http://example.org/b"',
];
const tripleTerm = `<<( ${iri('a')} ${iri('p')} "x" )>>`;
export const graphNames = ['g1', 'g2', 'g3'].map(iri);

const links = fc.record({
  subject: fc.constantFrom(...nodes),
  predicate: fc.constantFrom(...properties),
  object: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...nodes) },
    { weight: 2, arbitrary: fc.constantFrom(...literals, tripleTerm) },
  ),
});
const types = fc.record({
  subject: fc.constantFrom(...nodes),
  predicate: fc.constant(`<${RDF}type>`),
  object: fc.constantFrom(...['a', 'b'].map(iri), `<${RDF}Seq>`, `<${RDF}Bag>`),
});
const collections = fc.record({
  subject: fc.constantFrom(...nodes),
  predicate: fc.constantFrom(...['first', 'rest', '_1', '_2', '_3'].map((name) => `<${RDF}${name}>`)),
  object: fc.constantFrom(...nodes, ...literals, `<${RDF}nil>`),
});
const declarations = fc.record({
  subject: fc.constantFrom(...properties),
  predicate: fc.constant('<http://www.w3.org/2000/01/rdf-schema#subPropertyOf>'),
  object: fc.constantFrom(...properties),
});
const triple = fc.oneof(
  { weight: 8, arbitrary: links },
  { weight: 2, arbitrary: types },
  { weight: 2, arbitrary: collections },
  { weight: 1, arbitrary: declarations },
);
const quad: fc.Arbitrary<TextQuad> = fc
  .tuple(triple, fc.constantFrom(...graphNames))
  .map(([one, graph]) => ({ ...one, graph }));

/** A transaction: graphs are cleared, then quads are removed and added. */
export interface Commit {
  readonly cleared: readonly string[];
  readonly removals: readonly TextQuad[];
  readonly additions: readonly TextQuad[];
  /** Whether a compaction follows that drops unused terms. */
  readonly compacts: boolean;
}

const commit: fc.Arbitrary<Commit> = fc.record({
  cleared: fc.oneof(
    { weight: 6, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.constantFrom(...graphNames).map((name) => [name]) },
    { weight: 1, arbitrary: fc.constant(graphNames) },
  ),
  removals: fc.array(quad, { maxLength: 4 }),
  additions: fc.array(quad, { maxLength: 3 }),
  compacts: fc.boolean(),
});

/** What a commit does with quads that were added before it, by their places among them. */
interface Reuse {
  readonly removed: readonly number[];
  /** Added, whether or not the commit removes them, or clears their graph. */
  readonly added: readonly number[];
  /** Removed from one graph, and added to another. */
  readonly moved: readonly (readonly [place: number, graph: string])[];
}

const places = (most: number) => fc.array(fc.nat(), { maxLength: most });
const reuse: fc.Arbitrary<Reuse> = fc.record({
  removed: places(4),
  added: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: places(6) }),
  moved: fc.array(fc.tuple(fc.nat(), fc.constantFrom(...graphNames)), { maxLength: 2 }),
});

function withReuse(first: readonly TextQuad[], commits: readonly (readonly [Commit, Reuse])[]): Commit[] {
  const before = [...first];
  const at = (place: number) => before[place % before.length]!;
  return commits.map(([commit, { removed, added, moved }]) => {
    const leaving = [...removed, ...moved.map(([place]) => place)].map(at);
    const moving = moved.map(([place, graph]) => ({ ...at(place), graph }));
    const removals = [...commit.removals, ...leaving];
    const additions = [...commit.additions, ...added.map(at), ...moving];
    before.push(...additions);
    return { ...commit, removals, additions };
  });
}

/** What a store is given: first some quads, then the commits. */
export interface RandomHistory {
  readonly first: readonly TextQuad[];
  readonly commits: readonly Commit[];
}

export const histories: fc.Arbitrary<RandomHistory> = fc
  .record({
    first: fc.array(quad, { minLength: 4, maxLength: 30, size: 'max' }),
    commits: fc.array(fc.tuple(commit, reuse), { minLength: 1, maxLength: 5 }),
  })
  .map(({ first, commits }) => ({ first, commits: withReuse(first, commits) }));

const readers = ['flatten', 'members', 'types', 'predicates', 'iri', 'datatype', 'local', 'str', 'distinct'];
const calls = fc
  .tuple(fc.constantFrom(...readers), paths, fc.boolean())
  .map(([name, path, isBare]) => (isBare ? `fn:${name}()` : `fn:${name}(${path})`));
const more = fc.oneof(
  paths.map((path) => `fn:firstOne(${path})`),
  paths.map((path) => `fn:sort(${path}, "codepoint", "desc")`),
  paths.map((path) => `fn:get(${path}, 1)`),
  fc.constantFrom('fn:get(0)', 'fn:subList(1)', 'ex:p/fn:subList(0, 2)', 'fn:get(ex:q, 1)'),
  paths.map((path) => `fn:concat(${path})`),
  paths.map((path) => `fn:replace(${path}, "b$", "c")`),
  paths.map((path) => `fn:min(${path})`),
  fc.tuple(fc.constantFrom('last', 'lastOne'), paths, paths).map(([name, a, b]) => `fn:${name}(${a}, ${b})`),
  fc
    .tuple(fc.constantFrom('sum', 'lang', 'latest', 'reverse', 'upper'), paths)
    .map(([name, a]) => `fn:${name}(${a})`),
  paths.map((path) => `fn:slice(${path}, 1, 2)`),
  paths.map((path) => `fn:strJoin(${path}, ", ")`),
  fc.tuple(paths, paths).map(([a, b]) => `.[fn:equals(${a}, ${b})]`),
  fc.tuple(paths, paths).map(([a, b]) => `ex:p[fn:exists(${a}) | fn:anyContains(${b}, "x")]`),
);
const simple = fc.constantFrom(
  'ex:p',
  '^ex:q',
  'ex:p/ex:q',
  'ex:p/^ex:p',
  'ex:p[is-a ex:a]/ex:q',
  '(ex:p | ex:q)+',
  'ex:p*/ex:r',
  '~ex:p/ex:q',
  '^(ex:p/~ex:q)',
  '*!(ex:p)',
  '"x"/^(ex:p)',
  'fn:firstOne(ex:p)',
  'fn:firstOne(ex:p, ex:q)/ex:r',
  'ex:q/fn:flatten()',
  'fn:predicates()',
  'fn:types()/ex:p',
  '(ex:p/fn:flatten())+',
  '(fn:first(ex:p, ^ex:q)){1,2}/ex:r',
  '(fn:types() | ex:p)*/ex:q',
  '(ex:p[ex:q is ex:a])+/ex:r',
  '(fn:get(ex:p, 0))*/ex:q',
  'ex:p[^(ex:q)/ex:r]',
  'ex:p[fn:flatten()/ex:q]',
  'fn:flatten(~ex:p)/^~ex:q',
  '^(ex:p+)/ex:q',
  '(ex:p & ^ex:q)+/ex:r',
  '("x" | ex:p)/^(ex:q)',
  '(ex:p & "x")/^(ex:q)',
  'fn:max(ex:p)/^(ex:q)',
  '^(ex:p & ex:q)/fn:members()',
);
const selector = fc.oneof(
  { weight: 3, arbitrary: simple },
  { weight: 3, arbitrary: paths },
  { weight: 2, arbitrary: calls },
  { weight: 2, arbitrary: fc.tuple(calls, paths).map((parts) => parts.join(' / ')) },
  { weight: 2, arbitrary: more },
  { weight: 1, arbitrary: fc.tuple(more, paths).map((parts) => parts.join(' / ')) },
);

const sometimes = (arbitrary: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary });

/** Texts of programs. */
export const programs: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.tuple(selector, fc.constantFrom('', ':: xsd:string')), { minLength: 1, maxLength: 3 }),
    sometimes(fc.subarray([...graphNames], { minLength: 1 }).map((names) => `@graph ${names.join(', ')} ;`)),
    sometimes(selector.map((path) => `@filter ${path.startsWith('!') ? '.' : path} ;`)),
    sometimes(selector.map((path) => `@boost ${path} ;`)),
  )
  .map(([fields, ...directives]) =>
    [...directives, ...fields.map(([path, type], i) => `f${i} = ${path} ${type} ;`)].join('\n'),
  );

export const startSets: fc.Arbitrary<DeclaredStartSet | undefined> = fc.constantFrom(
  undefined,
  { kind: 'subjects' },
  { kind: 'type', iri: 'http://example.org/a' },
  { kind: 'type', iri: `${RDF}Seq` },
  { kind: 'graph', iri: 'http://example.org/g1' },
  { kind: 'graph', iri: 'http://example.org/g2' },
  // The name of a node, never of a graph.
  { kind: 'graph', iri: 'http://example.org/a' },
);
