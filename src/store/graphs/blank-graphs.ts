/**
 * Pathpool addresses graphs by IRI, so it rejects quads in a graph that is named by a blank node.
 * Earlier releases accepted them, and cut such a graph's name as if it had angle brackets: `_:b1x`
 * became `:b1`. Such names on disk are corrected when they are read.
 */
import { type ErrorData, errorData } from '../../errors.ts';
import { graphNameOf } from '../../rdf/model/graph-name.ts';
import { NO_GRAPH, type QuadBlock } from '../../rdf/model/quad-block.ts';
import type { GraphChange, GraphInfo } from '../../snapshot/graphs/table.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { GraphOperation } from '../main/transaction.ts';

const UNDERSCORE = 0x5f;
/** Maximum number of characters of a term in an error message. */
const MOST_SHOWN = 100;

/** The error if an operation adds quads to a graph named by a blank node; otherwise undefined. */
export function blankGraphRejection(operation: GraphOperation): ErrorData | undefined {
  if (operation.kind === 'load') return blankGraphError(operation.block);
  return operation.kind === 'update' ? blankGraphError(operation.additions) : undefined;
}

/** The same check for a single block; quads without a graph name are ignored. */
export function blankGraphError({ termBytes, termOffsets, quads }: QuadBlock): ErrorData | undefined {
  let last = NO_GRAPH;
  for (let i = 3; i < quads.length; i += 4) {
    const graph = quads[i]!;
    if (graph === last) continue;
    last = graph;
    if (graph === NO_GRAPH || termBytes[termOffsets[graph]!] !== UNDERSCORE) continue;
    const terms = Array.from(quads.subarray(i - 3, i), (index) =>
      shown(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)),
    );
    return errorIn(terms.join(' '));
  }
  return undefined;
}

function errorIn(statement: string): ErrorData {
  const message = `The statement ${statement} is in a graph named by a blank node. Nothing of the document was stored: name the graph by an IRI.`;
  return errorData('bad-term', message);
}

function shown(term: Uint8Array): string {
  const text = Buffer.from(term).toString();
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

/** Whether an earlier release made this name from a blank node. No IRI starts with a colon. */
export function isCutName(name: string): boolean {
  return name.startsWith(':');
}

/** Returns a checkpoint's graph rows, with every cut name replaced by the full one. */
export function withWholeNames(rows: readonly GraphChange[], reader: SnapshotReader): readonly GraphChange[] {
  const infos = rows.flatMap(([name, info]) => (info && isCutName(name) ? [info] : []));
  if (infos.length === 0) return rows;
  const newest = infos.reduce((found, info) => (info.sequence > found.sequence ? info : found));
  return [...rows.filter(([name]) => !isCutName(name)), ...blankGraphs(reader, newest)];
}

function blankGraphs(reader: SnapshotReader, { sequence, modified }: GraphInfo): GraphChange[] {
  return reader.graphs().flatMap((id): GraphChange[] => {
    const name = graphNameOf(reader.text(id));
    const info = { size: reader.graphSize(id), sequence, modified, since: sequence };
    return name.startsWith('_:') ? [[name, info]] : [];
  });
}
