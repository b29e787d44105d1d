import { SYNC_BOUNDS } from '../journal/meter.ts';
import { buffersOf } from '../snapshot/feed/descriptor-link.ts';
import type { Families } from './families.ts';
import type { LoadedSources, MetricSources } from './readings.ts';

type Store = LoadedSources['store'];

export function defineStoreMetrics(families: Families, sources: MetricSources): void {
  const gauge = (name: string, help: string, read: (store: Store) => number) =>
    families.gauge({ name, help }, ofStore(sources, read));
  gauge('transactions_waiting', 'Transactions that have no result yet.', ({ pending }) => pending);
  gauge('snapshot_bytes', 'Memory of the data.', ({ snapshot }) =>
    buffersOf(snapshot).reduce((sum, { byteLength }) => sum + byteLength, 0),
  );
  gauge(
    'snapshot_quads',
    'Triples of all graphs, with those of the server.',
    ({ snapshot }) => snapshot.quadCount,
  );
  gauge('snapshot_terms', 'Distinct terms.', ({ snapshot }) => snapshot.dictionary.termCount);
  gauge('snapshot_graphs', 'Named graphs.', ({ graphs }) => graphs.count);
  gauge('snapshot_commit', 'Number of the newest commit.', ({ snapshot }) => snapshot.sequence);
  families.gauge(
    { name: 'data_max_bytes', help: 'The limit on the memory of the data (--data-max).' },
    () => [[{}, sources.dataMax]],
  );
  families.gauge({ name: 'content_files_damaged', help: 'Content files that were found damaged.' }, () => [
    [{}, sources.health.damage.count],
  ]);
  defineJournalMetrics(families, sources);
  defineChangeMetrics(families, sources);
  defineMaintenanceMetrics(families, sources);
}

function ofStore(sources: MetricSources, read: (store: Store) => number) {
  return function* () {
    const { loaded } = sources;
    if (loaded) yield [{}, read(loaded.store)] as const;
  };
}

function defineChangeMetrics(families: Families, sources: MetricSources): void {
  const changes = (read: (changes: LoadedSources['changes']) => number) =>
    function* () {
      const { loaded } = sources;
      if (loaded) yield [{}, read(loaded.changes)] as const;
    };
  families.gauge(
    { name: 'change_streams', help: 'Streams of changes that are open.' },
    changes(({ open }) => open),
  );
  families.gauge(
    { name: 'change_stream_lag_commits', help: 'Commits that the slowest stream of changes is behind.' },
    changes(({ lag }) => lag),
  );
  families.counter(
    { name: 'change_events_total', help: 'Commits, and parts of them, that streams have read.' },
    changes(({ delivered }) => delivered),
  );
}

function defineJournalMetrics(families: Families, sources: MetricSources): void {
  const journal = (read: (journal: Store['journal']) => number) =>
    ofStore(sources, (store) => read(store.journal));
  families.gauge(
    { name: 'journal_bytes', help: 'Size of the journal that no checkpoint has replaced.' },
    journal(({ bytes }) => bytes),
  );
  families.gauge(
    { name: 'journal_busy_seconds', help: 'How long the current write to the journal has been running.' },
    journal(({ busyMs }) => busyMs / 1000),
  );
  families.counter(
    { name: 'journal_commits_total', help: 'Commits that were written to the journal.' },
    journal(({ records }) => records),
  );
  families.counter(
    { name: 'journal_written_bytes_total', help: 'Bytes that were written to the journal.' },
    journal(({ writtenBytes }) => writtenBytes),
  );
  families.histogram(
    { name: 'journal_sync_seconds', help: 'Time of a sync of the journal, one for each group of commits.' },
    function* () {
      const { loaded } = sources;
      if (!loaded) return;
      const { syncCounts: counts, syncSeconds: sum } = loaded.store.journal;
      yield [{}, { bounds: SYNC_BOUNDS, counts, sum }] as const;
    },
  );
}

function defineMaintenanceMetrics(families: Families, { events }: MetricSources): void {
  families.counter(
    {
      name: 'maintenance_total',
      help: 'Checkpoints and compactions that have ended.',
      labels: ['work', 'outcome'],
    },
    function* () {
      for (const [work, { finished, failed }] of Object.entries(events.maintenance)) {
        yield [{ work, outcome: 'finished' }, finished];
        yield [{ work, outcome: 'failed' }, failed];
      }
    },
  );
  families.counter(
    { name: 'maintenance_seconds_total', help: 'Time of these.', labels: ['work'] },
    function* () {
      for (const [work, { seconds }] of Object.entries(events.maintenance)) yield [{ work }, seconds];
    },
  );
}
