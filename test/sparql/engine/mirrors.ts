import assert from 'node:assert/strict';
import { oxigraphSpellings } from '../../../src/rdf/oxigraph/spelling.ts';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { SYSTEM_GRAPH_ID } from '../../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { storedBlockOf } from '../../support/blocks.ts';
import { commit, openOn } from '../../support/stores.ts';
import { defaultGraph } from '../updates.ts';

/** The graph that serves as the server's own: in the union, but without a name. */
export const UNNAMED = 'urn:x:unnamed';
export const mirrorSettings = { maxBytes: 256 * 1024 * 1024, unnamedGraph: UNNAMED };

export function readerOf(store: Store): SnapshotReader {
  return openSnapshot(store.opened().snapshot);
}

/** Returns the quads that queries see as terms, with the graph last, without the system graph. */
export function quadsOf(reader: SnapshotReader): string[][] {
  const quads: string[][] = [];
  const cursor = reader.allQuads();
  while (cursor.next()) {
    const { subject, predicate, object, graph } = cursor;
    if (graph === SYSTEM_GRAPH_ID) continue;
    quads.push([subject, predicate, object, graph].map((id) => reader.text(id)));
  }
  return quads;
}

/** Returns the expected content of a mirror as sorted lines of N-Quads. */
export function expectedLines(reader: SnapshotReader, { oxigraph, isMerged }: Mirror): string[] {
  const quads = quadsOf(reader);
  const changed = oxigraphSpellings(
    oxigraph,
    quads.map(([, , object]) => object!).filter((object) => /^(?:"|<<)/.test(object)),
  );
  const lines = new Set<string>();
  for (const [subject, predicate, object, graph] of quads) {
    const triple = `${subject} ${predicate} ${changed.get(object!) ?? object}`;
    if (graph !== `<${UNNAMED}>`) lines.add(`${triple} ${graph} .`);
    if (isMerged || graph === `<${UNNAMED}>`) lines.add(`${triple} .`);
  }
  return [...lines].sort();
}

export function linesIn({ store }: Mirror): string[] {
  return store.dump({ format: 'application/n-quads' }).split('\n').filter(Boolean).sort();
}

/**
 * Opens a store, loads rows into it, and checks that a mirror that follows and one that is filled
 * afterwards have them. `follows` checks that the first mirror follows later commits.
 */
export async function mirroredStore(rows: readonly string[]) {
  const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  const follows = () => {
    const reader = readerOf(store);
    assert.ok(mirror.follow(reader, changeFeed));
    assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
  };
  await commit(store, { kind: 'load', defaultGraph, block: storedBlockOf(rows.join('\n')) });
  follows();
  const filled = Mirror.fill(readerOf(store), mirrorSettings);
  assert.deepEqual(linesIn(filled), linesIn(mirror));
  return { store, mirror, follows };
}
