import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseStartSet, startSetJson } from '../../../../src/rdf/model/resources/start-set.ts';

const IRI = 'http://example.org/Person';

describe('start sets', () => {
  for (const [json, set] of [
    [{ type: IRI }, { kind: 'type', iri: IRI }],
    [{ graph: IRI }, { kind: 'graph', iri: IRI }],
    [{ subjects: true }, { kind: 'subjects' }],
    [
      { path: '^foaf:knows', from: [IRI] },
      { kind: 'path', path: '^foaf:knows', from: [IRI] },
    ],
  ] as const) {
    it(`reads and writes ${JSON.stringify(json)}`, () => {
      const read = parseStartSet(json);
      assert.deepEqual(read, { ok: true, value: set });
      assert.deepEqual(read.ok && startSetJson(read.value), json);
    });
  }

  it('reads a single start of a path as a list', () => {
    const read = parseStartSet({ path: '.', from: IRI });
    assert.deepEqual(read.ok && read.value, { kind: 'path', path: '.', from: [IRI] });
  });

  for (const json of [
    null,
    'subjects',
    [{ type: IRI }],
    {},
    { type: IRI, graph: IRI },
    { types: IRI },
    { type: 1 },
    { subjects: false },
    { path: '.' },
    { path: '.', from: [] },
    { path: '.', from: [1] },
    { path: 1, from: IRI },
    { type: IRI, extra: 1 },
  ]) {
    it(`rejects ${JSON.stringify(json)} and shows the forms`, () => {
      const read = parseStartSet(json);
      assert.equal(!read.ok && read.code, 'bad-arguments');
      assert.match(read.ok ? '' : read.message, /^'starts' must be \{"type": IRI\}/);
    });
  }

  for (const [json, member] of [
    [{ type: 'Person' }, 'type'],
    [{ graph: '_:b' }, 'graph'],
    [{ path: '.', from: [IRI, 'x y'] }, 'from'],
  ] as const) {
    it(`names the member with a bad IRI: ${JSON.stringify(json)}`, () => {
      const read = parseStartSet(json);
      assert.equal(!read.ok && read.code, 'bad-iri');
      assert.ok(!read.ok && read.message.startsWith(`starts.${member}: `));
    });
  }
});
