import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shareOrCopyBlock } from '../../../src/pool/worker/transfer.ts';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { namedGraphs, withDefaultGraph } from '../../../src/rdf/model/named-graphs.ts';
import { emptyBlock, NO_GRAPH, type QuadBlock } from '../../../src/rdf/model/quad-block.ts';
import { blockOf } from '../../support/blocks.ts';

const text = `<urn:s> <urn:p> "1" .
<urn:s> <urn:p> "2" <urn:g> .
<urn:s> <urn:p> "3" .
<urn:s> <urn:p> <urn:g> <urn:h> .
<urn:s> <urn:p> "4" <urn:g> .`;

function graphColumn({ quads, termBytes, termOffsets }: QuadBlock): string[] {
  return Array.from({ length: quads.length / 4 }, (_, row) => {
    const index = quads[4 * row + 3]!;
    if (index === NO_GRAPH) return '';
    return Buffer.from(termBytes.subarray(termOffsets[index], termOffsets[index + 1])).toString();
  });
}

function columnOnce({ quads }: QuadBlock): number[] {
  return [...new Set(quads.filter((_, at) => at % 4 === 3))].sort();
}

test('every block lists each term of its graph column once', () => {
  const parsed = (body: string, mediaType: string) =>
    parseRdf(Buffer.from(body), { mediaType, baseIri: 'urn:x:base' });
  const blocks = [
    emptyBlock(),
    blockOf(text),
    withDefaultGraph(blockOf(text), 'urn:d'),
    shareOrCopyBlock(blockOf(text)),
    parsed('<urn:s> <urn:p> 1, 2 .', 'text/turtle'),
    parsed(
      '<urn:a> { <urn:s> <urn:p> 1 } <urn:b> { <urn:s> <urn:p> 1 } <urn:s> <urn:p> 1 .',
      'application/trig',
    ),
    parsed('[{ "@id": "urn:g", "@graph": [{ "@id": "urn:s", "urn:p": 1 }] }]', 'application/ld+json'),
  ];
  const expected = blocks.map(columnOnce);
  assert.deepEqual(
    blocks.map(({ graphs }) => Array.from(graphs).sort()),
    expected,
  );
  assert.deepEqual(
    expected.map(({ length }) => length),
    [0, 3, 3, 3, 1, 3, 1],
  );
});

test('namedGraphs returns each graph that a block names once', () => {
  assert.deepEqual(namedGraphs(blockOf(text)), ['urn:g', 'urn:h']);
  assert.deepEqual(namedGraphs(blockOf('<urn:s> <urn:p> "1" .')), []);
});

test('withDefaultGraph names the graph of quads without one, and keeps the others', () => {
  const block = blockOf(text);
  const before = graphColumn(block);
  const named = withDefaultGraph(block, 'urn:é');
  assert.deepEqual(graphColumn(named), ['<urn:é>', '<urn:g>', '<urn:é>', '<urn:h>', '<urn:g>']);
  assert.deepEqual(graphColumn(block), before);
  assert.equal(withDefaultGraph(named, 'urn:other'), named);
});

test('withDefaultGraph keeps shared memory shared', () => {
  const block = blockOf(text);
  const shared = {
    ...block,
    termBytes: new Uint8Array(new SharedArrayBuffer(block.termBytes.length)),
    quads: new Uint32Array(new SharedArrayBuffer(block.quads.byteLength)),
  };
  shared.termBytes.set(block.termBytes);
  shared.quads.set(block.quads);
  const named = withDefaultGraph(shared, 'urn:d');
  assert.ok(named.quads.buffer instanceof SharedArrayBuffer);
  assert.ok(named.termBytes.buffer instanceof SharedArrayBuffer);
  assert.deepEqual(graphColumn(named), graphColumn(withDefaultGraph(block, 'urn:d')));
});
