/** Two states of a few quads, written in one line: `a p b. c p "x" g` with an optional graph. */

import type { ComparedStates } from '../../../src/ldpath/affected/changed-results.ts';
import { NetChangesBuilder } from '../../../src/snapshot/feed/net-changes-builder.ts';
import { earlierSnapshot } from '../../../src/snapshot/read/earlier-snapshot.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import type { TextQuad } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../../snapshot/blocks.ts';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const full: Readonly<Record<string, string>> = {
  subPropertyOf: 'http://www.w3.org/2000/01/rdf-schema#subPropertyOf',
  ...Object.fromEntries(['type', 'first', 'rest', '_1', '_2'].map((name) => [name, RDF + name])),
};

export function quadsOf(text: string): TextQuad[] {
  const lines = text.split('.').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [subject, predicate, object, graph = 'default'] = line.trim().split(' ');
    return {
      subject: term(subject!),
      predicate: term(predicate!),
      object: term(object!),
      graph: term(graph),
    };
  });
}

function term(name: string): string {
  return /^["_]:?/.test(name) && !(name in full) ? name : `<${full[name] ?? `http://example.org/${name}`}>`;
}

/** The local name of an IRI, or the term. */
export function ex(text: string): string {
  return text.replace(/^<?http:\/\/example\.org\/([^>]*)>?$/, '$1');
}

export interface OneChange {
  /** In both states. */
  readonly data: string;
  readonly added?: string;
  readonly removed?: string;
  /**
   * Whether the rows come as texts, and the present dictionary has none of the terms that only
   * removed quads had.
   */
  readonly byText?: boolean;
}

export function changeOf({ data, added = '', removed = '', byText = false }: OneChange): ComparedStates {
  const writer = new SnapshotWriter();
  const rows = [data, byText ? '' : removed, added].map((text) => {
    const changes = planLoad(writer, 'urn:default', blockOf(quadsOf(text)), '');
    writer.apply(changes);
    return changes.additions;
  });
  if (!byText) writer.apply({ additions: new Uint32Array(0), removals: rows[1]! });
  const descriptor = writer.publish(2);
  const present = openSnapshot(descriptor);
  const builder = new NetChangesBuilder(present);
  if (byText) {
    for (const quad of quadsOf(removed)) builder.addTexts(quad, true);
    for (const quad of quadsOf(added)) builder.addTexts(quad, false);
  } else {
    builder.addRows(rows[1]!.map((word, i) => (i % 4 === 3 ? (word | 0x80000000) >>> 0 : word)));
    builder.addRows(rows[2]!);
  }
  const changes = builder.finish();
  return { earlier: earlierSnapshot(descriptor, changes, 1), present, changes };
}
