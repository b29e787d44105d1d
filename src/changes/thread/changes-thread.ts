import { toErrorData } from '../../errors.ts';
import { DescriptorReceiver } from '../../snapshot/feed/descriptor-link.ts';
import { openSnapshot, type SnapshotReader } from '../../snapshot/read/reader.ts';
import type { FromChanges, ToChanges } from '../messages.ts';
import type { Commits } from './commit-source.ts';
import { Pages } from './pages.ts';

/** Answers requests for changes, in a thread of its own. */
export class ChangesThread {
  readonly #pages: Pages;
  readonly #descriptors = new DescriptorReceiver();
  readonly #post: (message: FromChanges) => void;

  constructor(commits: Commits, post: (message: FromChanges) => void) {
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

  async #answer(request: ToChanges['request'], reader: SnapshotReader) {
    if (request.kind === 'page') return this.#pages.page(request, reader);
    if (request.kind === 'rows') return this.#pages.rowsBetween(request, reader);
    return this.#pages.oldest(reader);
  }
}
