import type { ChangeEvent, Page, PageRequest, PartOfRows, Place } from '../../src/changes/messages.ts';
import { Commits } from '../../src/changes/thread/commit-source.ts';
import { Pages } from '../../src/changes/thread/pages.ts';
import type { Disk } from '../../src/journal/disk/disk.ts';
import { ChangeFeedWriter, newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { RetentionLimits } from '../../src/store/history/retention-limits.ts';
import type { Store } from '../../src/store/thread/store.ts';

/** Keeps more than a test writes. */
export const KEEP_ALL: RetentionLimits = { bytes: 2 ** 40, ageMs: Number.POSITIVE_INFINITY };

/** The pages that only files have. */
export function pagesInFiles(disk: Disk): Pages {
  return new Pages(commitsInFiles(disk));
}

/** The commits that only files have; without a disk none. */
export function commitsInFiles(disk: Disk | null): Commits {
  const feed = newChangeFeed({ rows: 64, commits: 16 });
  new ChangeFeedWriter(feed, 2 ** 40);
  return new Commits(feed, disk);
}

/** The pages that only the ring has. */
export function pagesInRing(feed: SharedArrayBuffer): Pages {
  return new Pages(new Commits(feed, null));
}

/** Returns all changes after a place, by default the oldest, and how many pages they had. */
export async function allChanges(
  pages: Pages,
  store: Store,
  request: Partial<PageRequest> = {},
): Promise<{ readonly events: ChangeEvent[]; readonly pages: number }> {
  const events: ChangeEvent[] = [];
  const snapshot = openSnapshot(store.opened().snapshot);
  let place: Place = { since: request.since ?? (await pages.oldest(snapshot)) };
  for (let count = 1; ; count++) {
    const page: Page = await pages.page({ rows: false, ...request, ...place }, snapshot);
    events.push(...page.events);
    place = page.end;
    if (page.isNewest) return { events, pages: count };
  }
}

/** Returns a part as RDF Patch. */
export function patchOf({ json }: PartOfRows): string {
  return JSON.parse(Buffer.from(json).toString()) as string;
}

/** Returns the rows of changes as RDF Patch, commit by commit. */
export function patchesOf(events: readonly ChangeEvent[]): Map<number, string> {
  const patches = new Map<number, string>();
  for (const { commit, rows } of events)
    patches.set(commit, (patches.get(commit) ?? '') + (rows ? patchOf(rows) : ''));
  return patches;
}
