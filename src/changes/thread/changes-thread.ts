import { toErrorData } from '../../errors.ts';
import { DescriptorReceiver } from '../../snapshot/feed/descriptor-link.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import type { ChangesValue, FromChanges, ToChanges } from '../messages.ts';
import type { Commits } from './commit-source.ts';
import { readEarlierGraph } from './earlier-graph.ts';
import { Pages } from './pages.ts';

/** Answers requests for changes, in a thread of its own. */
export class ChangesThread {
  readonly #commits: Commits;
  readonly #pages: Pages;
  readonly #descriptors = new DescriptorReceiver();
  readonly #post: (message: FromChanges) => void;

  constructor(commits: Commits, post: (message: FromChanges) => void) {
    this.#commits = commits;
    this.#pages = new Pages(commits);
    this.#post = post;
  }

  /** Must be called with all messages in the order in which they were sent. */
  receive({ id, snapshot, request }: ToChanges): void {
    const reader = openSnapshot(this.#descriptors.receive(snapshot));
    this.#answer(request, reader).then(
      (value) => this.#post({ id, value }),
      (error: unknown) => this.#post({ id, error: toErrorData(error) }),
    );
  }

  async #answer(request: ToChanges['request'], reader: SnapshotReader): Promise<ChangesValue> {
    if (request.kind === 'page') return this.#pages.page(request, reader);
    if (request.kind === 'rows') return this.#pages.rowsBetween(request, reader);
    if (request.kind === 'graph') return readEarlierGraph(this.#commits, request, reader);
    if (request.kind === 'last-until') {
      return (await this.#commits.lastUntil(request.time, reader)) ?? null;
    }
    return this.#pages.oldest(reader);
  }
}
