import { NO_TERM } from '../src/graph/term-id.ts';
import type { GraphEntriesJob } from '../src/pool/messages.ts';
import { GraphLabels } from '../src/services/graph-label.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';

export function writeGraphEntries(job: GraphEntriesJob, reader: SnapshotReader): Uint8Array {
  const names = JSON.parse(`[${Buffer.from(job.names).toString()}]`) as string[];
  const labels = new GraphLabels(reader);
  const entries = names.map((uri) => {
    const id = reader.find(`<${uri}>`);
    return { uri, label: labels.of(uri, id), size: id === NO_TERM ? 0 : reader.graphSize(id) };
  });
  return Buffer.from(JSON.stringify(entries).slice(1, -1));
}
