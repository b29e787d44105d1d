import { NO_TERM } from '../../rdf/model/term-id.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { GraphEntriesJob } from '../messages.ts';
import { GraphLabels } from './graph-label.ts';

export function writeGraphEntries(job: GraphEntriesJob, reader: SnapshotReader): Uint8Array {
  const names = JSON.parse(`[${Buffer.from(job.names).toString()}]`) as string[];
  const labels = new GraphLabels(reader);
  const entries = names.map((uri) => {
    const id = reader.find(`<${uri}>`);
    return { uri, label: labels.of(uri, id), size: id === NO_TERM ? 0 : reader.graphSize(id) };
  });
  return Buffer.from(JSON.stringify(entries).slice(1, -1));
}
