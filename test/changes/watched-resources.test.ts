import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextRows } from '../../src/changes/thread/row-cursor.ts';
import { Summary } from '../../src/changes/thread/summary.ts';
import { iriPatterns } from '../../src/rdf/model/resources/iri-patterns.ts';

const MANAGED = '<urn:x-pathpool:ldp-managed>';
const SYSTEM = '<urn:x-pathpool:system>';
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';
const LDP = 'http://www.w3.org/ns/ldp#';
const MODIFIED = '<http://purl.org/dc/terms/modified>';
const visible = iriPatterns(['urn:x:box', 'urn:x:box/open*']);

/** Rows that give a resource a new date and state, which happens with each change. */
const renewed = (resource: string, kind: string) => [
  `D <${resource}> ${MODIFIED} "1" ${MANAGED} .`,
  `A <${resource}> ${MODIFIED} "2" ${MANAGED} .`,
  `D <${resource}> <urn:x-pathpool:ldp> "${kind} 1 1" ${SYSTEM} .`,
  `A <${resource}> <urn:x-pathpool:ldp> "${kind} 2 2" ${SYSTEM} .`,
];

/** Returns what rows tell of resources to a client that sees some members, and to others. */
function changedBy(rows: readonly string[], ...resources: string[]) {
  const changed = (patterns: typeof visible | undefined) => {
    const summary = new Summary(patterns, { version: 1, terms: [], resources });
    const cursor = new TextRows(Buffer.from(`${rows.join('\n')}\n`));
    while (cursor.next()) summary.add(cursor);
    return summary.resources;
  };
  return { some: changed(visible), all: changed(undefined) };
}

describe('watched LDP resources', () => {
  const box = { name: 'urn:x:box', added: 1, removed: 1 };
  const hidden: [string, string[]][] = [
    ['a hidden child', [`A <urn:x:box> <${LDP}contains> <urn:x:box/secret> ${MANAGED} .`]],
    ['a membership triple', [`A <urn:x:box> <${LDP}member> <urn:x:box/open> ${MANAGED} .`]],
    ['a membership triple with the relation rdf:type', [`A <urn:x:box> ${TYPE} <urn:x:m> ${MANAGED} .`]],
    ['nothing but the date', []],
  ];
  for (const [reason, rows] of hidden) {
    it(`have no event because of ${reason} if the client does not see all members (G-166)`, () => {
      for (const kind of ['rdf-source', 'basic', 'direct', 'description']) {
        const { some, all } = changedBy([...rows, ...renewed('urn:x:box', kind)], 'urn:x:box');
        assert.deepEqual(some, []);
        assert.deepEqual(all, [{ ...box, added: 1 + rows.length }]);
      }
    });
  }

  it('have one for a child that the client sees, for triples of their own, and for their creation', () => {
    const changes = [
      `A <urn:x:box> <${LDP}contains> <urn:x:box/open> ${MANAGED} .`,
      'A <urn:x:box> <urn:p> "1" <urn:x:box> .',
      `A <urn:x:box> ${TYPE} <${LDP}Resource> ${MANAGED} .`,
    ];
    for (const row of changes) {
      const { some, all } = changedBy([row, ...renewed('urn:x:box', 'basic')], 'urn:x:box');
      assert.deepEqual(some, [{ ...box, added: 2 }]);
      assert.deepEqual(all, some);
    }
  });

  it('have one for the content of a binary, and its description has one, too', () => {
    const rows = [...renewed('urn:x:box', 'binary'), ...renewed('urn:x:box.meta', 'description')];
    const { some, all } = changedBy(rows, 'urn:x:box', 'urn:x:box.meta');
    assert.deepEqual(some, [box, { ...box, name: 'urn:x:box.meta' }]);
    assert.deepEqual(all, some);
  });
});
