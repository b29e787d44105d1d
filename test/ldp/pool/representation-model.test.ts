import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { MembershipConfiguration } from '../../../src/ldp/model/kinds.ts';
import { RepresentationCursor } from '../../../src/ldp/pool/representation.ts';
import { LDP_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { linesOf, type NewResource, ROOT, Space } from './space.ts';

const EX = 'http://example.org/';
const LDP = 'http://www.w3.org/ns/ldp#';

/** Resources in the order in which they are made; a child of a container is named under it. */
const paths = ['c', 'd', 'd/e', 'c/1', 'c/2', 'd/1', 'd/e/1', 'd/e/2.png'];
const iris = [...paths.map((path) => `${ROOT}/${path}`), `${ROOT}/d/e/2.png.meta`, ROOT, `${EX}far`];

const configuration: fc.Arbitrary<MembershipConfiguration> = fc.record({
  membershipResource: fc.constantFrom(...iris),
  relation: fc.constantFrom(`${EX}r`, `${EX}s`, 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type'),
  inverse: fc.boolean(),
  insertedContentRelation: fc.constantFrom(null, `${EX}topic`),
});

const body = fc
  .array(
    fc.tuple(
      fc.constantFrom('<>', '<#me>', '_:b', `<${EX}o>`),
      fc.constantFrom('topic', 'r', 'p'),
      fc.constantFrom(...iris),
    ),
    {
      maxLength: 4,
    },
  )
  .map((triples) => triples.map(([s, p, o]) => `${s} <${EX}${p}> <${o}> .`).join('\n'));

async function build(
  space: Space,
  configurations: readonly MembershipConfiguration[],
  bodies: readonly string[],
) {
  for (const [index, path] of paths.entries()) {
    const own = configurations[index];
    const model = own === undefined ? 'rdf-source' : own.insertedContentRelation ? 'indirect' : 'direct';
    const resource: NewResource = { model, body: bodies[index]!, ...(own && { configuration: own }) };
    await space.create(path, path.endsWith('.png') ? { model: 'binary' } : resource);
  }
}

/** Returns all managed triples of a resource, by scanning all of them (http-api L-10, L-49). */
function naive(space: Space, uri: string): Set<string> {
  const { reader } = space;
  const managed = linesOf(reader.graphCursor(reader.find(`<${LDP_GRAPH}>`)));
  const triples = managed.map((line) => line.split(' '));
  const binary = uri.endsWith('.meta') ? `<${uri.slice(0, -5)}>` : '';
  const value = (container: string, property: string) =>
    triples.find(([s, p]) => s === container && p === `<${LDP}${property}>`)?.[2];
  const claims = triples
    .filter(([, p]) => p === `<${LDP}membershipResource>`)
    .filter(([container, , resource]) => container === `<${uri}>` || resource === `<${uri}>`)
    .map(([container, , resource]) => {
      const inverse = value(container!, 'isMemberOfRelation');
      return inverse
        ? { predicate: inverse, object: resource }
        : { predicate: value(container!, 'hasMemberRelation'), subject: resource };
    });
  const parent = `<${uri.slice(0, uri.lastIndexOf('/'))}>`;
  // Only a binary child is stated to be a member; it has no members itself, because it is not an
  // RDF source.
  const isMember = (p: string, o: string) =>
    p === value(parent, 'isMemberOfRelation') &&
    o === value(parent, 'membershipResource') &&
    value(parent, 'insertedContentRelation') === undefined;
  const isStated = (p: string, o: string) =>
    p.startsWith('<http://purl.org/dc/terms/') || (p.endsWith('#type>') && o.startsWith(`<${LDP}`));
  const concerns = ([s, p, o]: string[]) =>
    s === `<${uri}>` ||
    (s === binary && (isStated(p!, o!) || isMember(p!, o!))) ||
    claims.some(
      ({ subject, predicate, object }) =>
        p === predicate &&
        (subject === undefined ? o === object : s === subject) &&
        !(p!.endsWith('#type>') && o!.startsWith(`<${LDP}`)),
    );
  const shown = managed.filter((_, index) => concerns(triples[index]!));
  return new Set([...shown, ...linesOf(reader.graphCursor(reader.find(`<${uri}>`)))]);
}

test('L-10, L-49: a representation has all triples of the resource, each once and grouped by subject', async () => {
  const property = fc.asyncProperty(
    fc.array(configuration, { minLength: 3, maxLength: 3 }),
    fc.array(body, { minLength: paths.length, maxLength: paths.length }),
    async (configurations, bodies) => {
      const space = await Space.open();
      await build(space, configurations, bodies);
      for (const uri of iris.slice(0, -1).filter((iri) => !iri.endsWith('.png'))) {
        const parts = { minimal: true, containment: true, membership: true };
        const lines = linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts }));
        assert.deepEqual([...lines].sort(), [...naive(space, uri)].sort(), uri);
        assertGrouped(lines, `<${uri}>`);
        assertParts(space, uri, lines);
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
});

/** A subject, and a predicate of it, comes in one piece; the resource comes first. */
function assertGrouped(lines: readonly string[], first: string): void {
  for (const size of [1, 2]) {
    const heads = lines.map((line) => line.split(' ').slice(0, size).join(' '));
    const changes = heads.filter((head, index) => head !== heads[index - 1]);
    assert.equal(changes.length, new Set(changes).size);
  }
  assert.equal(lines[0]?.split(' ')[0], first);
}

/** The parts make the whole. */
function assertParts(space: Space, uri: string, whole: readonly string[]): void {
  const none = { minimal: false, containment: false, membership: false };
  const parts = (['minimal', 'containment', 'membership'] as const).flatMap((part) =>
    linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts: { ...none, [part]: true } })),
  );
  assert.deepEqual([...new Set(parts)].sort(), [...whole].sort());
}
