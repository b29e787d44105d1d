import assert from 'node:assert/strict';
import { test } from 'node:test';
import oxigraph from 'oxigraph';
import { RowQuads } from '../../../src/rdf/model/row-quads.ts';
import { release } from '../../../src/rdf/oxigraph/terms.ts';
import { LDP_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { UpdatedData } from '../../../src/sparql/effects/updated-data.ts';
import { type GraphSource, MAX_MERGED_QUADS, mergedStore } from '../../../src/sparql/engine/merged-store.ts';
import { updatedGraphs } from '../../../src/sparql/engine/update/updated-graphs.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';
import { settings } from '../updates.ts';
import { readerOf } from './mirrors.ts';

type Terms = readonly [subject: string, predicate: string, object: string, graph: string];

async function dataOf(graphs: Readonly<Record<string, string>>): Promise<UpdatedData> {
  const store = await openOn(new SimDisk({ seed: 1 }));
  for (const [graph, triples] of Object.entries(graphs)) await commit(store, merge(graph, triples));
  return new UpdatedData(readerOf(store), { settings, emptyGraphs: [] });
}

function idsOf(data: UpdatedData, [subject, predicate, object, graph]: Terms) {
  const id = (text: string) => data.terms.internText(text);
  return [id(subject), id(predicate), id(object), data.graphId(graph)] as const;
}

function linesOf(source: GraphSource, merged: readonly string[], named: readonly string[]): string[] {
  const store = mergedStore(source, merged, named);
  const lines = store.dump({ format: 'application/n-quads' }).split('\n').filter(Boolean).sort();
  release(store);
  return lines;
}

const a = '<urn:a> <urn:p> "1" .';
const blank = '<urn:a> <urn:p> _:b .';

test('a merge contains the changes of earlier operations: new terms, blank nodes and graphs', async () => {
  const data = await dataOf({ 'urn:g': `${a}\n${blank}\n<urn:a> <urn:p> "gone" .`, 'urn:h': a, 'urn:c': a });
  const [label] = /_:\S+/.exec(linesOf(updatedGraphs(oxigraph, data), ['urn:g'], []).join())!;
  const added: readonly Terms[] = [
    ['<urn:a>', '<urn:p>', '"1"', 'urn:new'],
    ['<urn:new-s>', '<urn:p>', '"1"', 'urn:h'],
    ['<urn:a>', '<urn:new-p>', '"1"', 'urn:g'],
    ['<urn:a>', '<urn:p>', '"new"', 'urn:g'],
    ['<urn:a>', '<urn:p>', '_:new', 'urn:g'],
  ];
  for (const terms of added) data.add(...idsOf(data, terms));
  data.remove(...idsOf(data, ['<urn:a>', '<urn:p>', '"gone"', 'urn:g']));
  data.clear(data.graphId('urn:c'));
  const merged = ['urn:g', 'urn:h', 'urn:new', 'urn:c', 'urn:none', LDP_GRAPH];
  assert.deepEqual(
    linesOf(updatedGraphs(oxigraph, data), merged, ['urn:new', 'urn:h', 'urn:none', LDP_GRAPH]),
    [
      a,
      `<urn:a> <urn:p> ${label} .`,
      '<urn:new-s> <urn:p> "1" .',
      '<urn:a> <urn:new-p> "1" .',
      '<urn:a> <urn:p> "new" .',
      '<urn:a> <urn:p> _:new .',
      '<urn:a> <urn:p> "1" <urn:new> .',
      '<urn:a> <urn:p> "1" <urn:h> .',
      '<urn:new-s> <urn:p> "1" <urn:h> .',
    ].sort(),
  );
});

test('a merge is rejected above the maximum number of triples', async () => {
  const { reader } = await dataOf({});
  const graph = (name: string) => ({
    count: Number(name),
    quads: new RowQuads(reader.terms, new Uint32Array(0)),
  });
  const source = { oxigraph, reader, text: () => '', graph };
  const half = MAX_MERGED_QUADS / 2;
  assert.deepEqual(linesOf(source, [`${half}`], [`${half}`]), []);
  assert.throws(() => mergedStore(source, [`${half}`], [`${half + 1}`]), /2000000 triples together/);
});
