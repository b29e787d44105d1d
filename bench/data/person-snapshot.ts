import { parseRdf } from '../../src/rdf/formats/parse-document.ts';
import { planMerge } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { GRAPH } from './person-data.ts';

/** The data set (`personTurtle`) as a snapshot in this process. */
export function snapshotOf(turtle: string): SnapshotWriter {
  const writer = new SnapshotWriter();
  const block = parseRdf(Buffer.from(turtle), { mediaType: 'text/turtle', baseIri: GRAPH });
  writer.apply(planMerge(writer, GRAPH, block, 'b'));
  writer.publish(1);
  return writer;
}
