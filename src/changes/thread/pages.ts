import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { ChangedRows, ChangeEvent, Page, PageRequest, RowsRequest } from '../messages.ts';
import type { Commit, Commits } from './commit-source.ts';
import { type CommitPart, PART_BYTES, partsOf } from './patch-parts.ts';
import { RowTable } from './row-table.ts';
import { Summary } from './summary.ts';

/** A page ends with the event that reaches one of these numbers. */
const MOST_EVENTS = 1000;
const MOST_ROWS = 2 ** 18;
/** The number of streams whose place within a commit is remembered. */
const MOST_OPEN = 8;
/** How long it is remembered, in milliseconds: it holds the memory of its snapshot. */
const OPEN_MS = 30_000;

/** The parts of a commit after some of them. */
interface OpenCommit {
  readonly parts: AsyncGenerator<CommitPart>;
  /** Until when it is kept; by `performance.now()`. */
  readonly until: number;
}

/** Reads the history page by page, each of which has a bounded size. */
export class Pages {
  readonly #commits: Commits;
  /** Commits that were read in part, by the request for the next part. The latest is last. */
  readonly #open = new Map<string, OpenCommit>();

  constructor(commits: Commits) {
    this.#commits = commits;
  }

  oldest(snapshot: SnapshotReader): Promise<number> {
    return this.#commits.oldest(snapshot);
  }

  /** Returns the changes after a place. Errors: `position-gone`, `data-damaged`. */
  async page(request: PageRequest, snapshot: SnapshotReader): Promise<Page> {
    this.#closeSome();
    return request.rows ? this.#withRows(request, snapshot) : this.#withCounts(request, snapshot);
  }

  /**
   * Returns what some commits change together, or `too-many` if that is more than the limit.
   * Errors: `position-gone`, `data-damaged`.
   */
  async rowsBetween(
    { from, to, maxQuads, visible }: RowsRequest,
    snapshot: SnapshotReader,
  ): Promise<ChangedRows | 'too-many'> {
    const table = new RowTable({ quads: maxQuads });
    for await (const commit of this.#commits.after(from, snapshot)) {
      if (commit.sequence > to) break;
      const summary = new Summary(visible);
      for await (const rows of commit.rows()) {
        while (rows.next()) {
          if (summary.add(rows) !== undefined && !table.add(rows)) return 'too-many';
        }
      }
    }
    return table.finish();
  }

  async #withCounts({ since, visible, subjects }: PageRequest, snapshot: SnapshotReader): Promise<Page> {
    const events: ChangeEvent[] = [];
    let at = since;
    let [rows, looked] = [0, 0];
    for await (const commit of this.#commits.after(since, snapshot)) {
      const summary = new Summary(visible, subjects);
      for await (const some of commit.rows()) while (some.next()) summary.add(some);
      const { sequence, time } = commit;
      if (!visible || summary.isShown) events.push(countsOf(sequence, time, summary));
      at = sequence;
      rows += summary.rows;
      if (++looked >= MOST_EVENTS || rows >= MOST_ROWS) break;
    }
    return { events, end: { since: at, part: 0 }, isNewest: at >= snapshot.sequence };
  }

  async #withRows(request: PageRequest, snapshot: SnapshotReader): Promise<Page> {
    const events: ChangeEvent[] = [];
    let [bytes, rows, looked] = [0, 0, 0];
    let { since, part = 0 } = request;
    const open = this.#reopen(request) ?? (await this.#openAt(request, snapshot));
    for (;;) {
      const { value } = await open.parts.next();
      if (!value) break;
      const { event, isLast, read } = value;
      if (!request.visible || event.graphs?.length !== 0) events.push(event);
      bytes += event.rows?.json.length ?? 0;
      part = isLast ? 0 : part + 1;
      if (isLast) since = event.commit;
      rows += read;
      if (bytes >= PART_BYTES || rows >= MOST_ROWS || ++looked >= MOST_EVENTS) break;
    }
    const end = { since, part };
    if (part > 0) this.#keep({ ...request, ...end }, open);
    else await close(open);
    return { events, end, isNewest: part === 0 && since >= snapshot.sequence };
  }

  /** Opens the history anew, and skips the parts before the place. */
  async #openAt(request: PageRequest, snapshot: SnapshotReader): Promise<OpenCommit> {
    const { since, part = 0 } = request;
    const parts = partsOfAll(this.#commits.after(since, snapshot), request);
    for (let skipped = 0; skipped < part; skipped++) await parts.next();
    return { parts, until: performance.now() + OPEN_MS };
  }

  #reopen(request: PageRequest): OpenCommit | undefined {
    const key = keyOf(request);
    const open = this.#open.get(key);
    this.#open.delete(key);
    return open;
  }

  #keep(next: PageRequest, open: OpenCommit): void {
    const key = keyOf(next);
    const other = this.#open.get(key);
    if (other) void close(other);
    this.#open.set(key, { ...open, until: performance.now() + OPEN_MS });
    this.#closeSome();
  }

  #closeSome(): void {
    const now = performance.now();
    for (const [key, open] of this.#open) {
      if (open.until > now && this.#open.size <= MOST_OPEN) return;
      this.#open.delete(key);
      void close(open);
    }
  }
}

async function* partsOfAll(
  commits: AsyncIterable<Commit>,
  wanted: Pick<PageRequest, 'graph' | 'visible'>,
): AsyncGenerator<CommitPart> {
  for await (const commit of commits) yield* partsOf(commit, wanted);
}

function countsOf(commit: number, time: number, { graphs, subjects, resources }: Summary): ChangeEvent {
  return {
    commit,
    time,
    graphs,
    ...(subjects.length > 0 && { subjects }),
    ...(resources.length > 0 && { resources }),
  };
}

async function close({ parts }: OpenCommit): Promise<void> {
  await parts.return(undefined);
}

function keyOf({ since, part = 0, graph = '', visible }: PageRequest): string {
  return JSON.stringify([since, part, graph, visible?.key]);
}
