import { RepresentationCursor } from '../../ldp/pool/representation.ts';
import { checkQuads } from '../../rdf/formats/check-quads.ts';
import type { PrefixTable } from '../../rdf/formats/prefix-table.ts';
import { type SerializeOptions, serializeRdf } from '../../rdf/formats/serialize-quads.ts';
import { holdsEveryGraph } from '../../rdf/media-types/media-types.ts';
import type { QuadCursor } from '../../rdf/model/quad-cursor.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { NO_TERM } from '../../rdf/model/term-id.ts';
import { DescriptionCursor } from '../../snapshot/read/description.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { DatasetCursor } from '../../store/graphs/dataset-cursor.ts';
import type { DatasetScope } from '../../store/registry/dataset-state.ts';
import { datasetPrefixes, graphPrefixes } from '../../store/registry/graph-prefixes.ts';
import type { SerializeJob } from '../messages.ts';
import { ChunkSender } from './chunk-sender.ts';
import type { CurrentStep } from './current-step.ts';
import { type EarlierQuads, earlierQuads } from './feed/earlier-quads.ts';

/** What documents are made from. */
interface DocumentBasis {
  readonly reader: SnapshotReader;
  /** The prefixes that documents of all graphs have. */
  readonly shared: PrefixTable;
}

/** Sends the document of a source. A graph that the snapshot does not know counts as empty. */
export async function sendDocument(
  job: SerializeJob,
  { reader, shared }: DocumentBasis,
  step: CurrentStep,
): Promise<void> {
  const { mediaType, source } = job;
  const { read, mayHaveRdf12 } = openSource(job, reader);
  // A client cannot tell a document that ends early from one that was truncated in transit, so a
  // document that cannot be completed is not begun (http-api G-54).
  if (!holdsEveryGraph(mediaType)) {
    checkQuads(read(), mediaType, mayHaveRdf12, () => step.throwIfCancelled());
  }
  const naming = 'graph' in source ? { graphName: source.graph } : {};
  const sender = new ChunkSender(job.port, job.window);
  let bytes = 0;
  const prefixes = prefixesOf(job, reader);
  const options = { mediaType, spare: sender.spare, prefixes, shared, ...naming };
  try {
    for (const chunk of serializeRdf(read(), options)) {
      step.throwIfCancelled();
      bytes += chunk.length;
      await sender.send(chunk);
      step.begin(job.slot, 0);
      step.report(bytes, 0);
    }
  } finally {
    sender.close();
  }
}

/** Returns the document if it fits in a chunk; otherwise null. */
export function shortDocument(quads: QuadCursor, options: SerializeOptions): Uint8Array | null {
  const chunks = serializeRdf(quads, options);
  const first = chunks.next();
  if (first.done) return new Uint8Array(0);
  return chunks.next().done ? first.value : null;
}

/** A source, and what its reader may see of it. */
type Shown = Pick<SerializeJob, 'source' | 'visible'>;

function openSource(job: SerializeJob, reader: SnapshotReader): EarlierQuads {
  const { snapshot, source } = job;
  if ('graph' in source && source.earlier) return earlierQuads(snapshot, source.graph, source.earlier.rows);
  return { mayHaveRdf12: reader.terms.mayHaveRdf12, read: () => quadsOf(job, reader) };
}

function quadsOf({ source, visible }: Shown, reader: SnapshotReader): QuadCursor {
  if ('description' in source) {
    return new DescriptionCursor(reader.visibleTo(visible), reader.find(source.description));
  }
  if ('allBut' in source) return new DatasetCursor(reader, scopeOf(source.allBut, visible));
  if ('ldp' in source) return new RepresentationCursor(reader, source, visible);
  const graph = reader.find(`<${source.graph}>`);
  return graph === NO_TERM ? { ...noQuads, terms: reader.terms } : reader.graphCursor(graph);
}

/** A description may have triples of many graphs, so it has only the prefixes of the server. */
export function prefixesOf({ source, visible }: Shown, reader: SnapshotReader): string {
  if ('description' in source) return '';
  if ('allBut' in source) return datasetPrefixes(reader, scopeOf(source.allBut, visible));
  if ('ldp' in source) return graphPrefixes(reader, source.ldp);
  return source.earlier?.prefixes ?? graphPrefixes(reader, source.graph);
}

function scopeOf(ldpSpace: string, visible: IriPatterns | undefined): DatasetScope {
  return { ldpSpace, ...(visible && { visible }) };
}

const noQuads = { subject: NO_TERM, predicate: NO_TERM, object: NO_TERM, graph: NO_TERM, next: () => false };
