/** Which commits the backups of a repository can restore. */
import type { Base, Manifest, Segment } from './manifest.ts';

/** How a commit is restored: from a checkpoint, with the records after it. */
export interface RestorePath {
  readonly base: Base;
  /** In order; they may overlap. */
  readonly segments: readonly Segment[];
}

/** Commits that can be restored, both inclusive. */
export interface CommitRange {
  readonly first: number;
  readonly last: number;
}

/** The backups of one history, oldest first. */
export class Chain {
  readonly name: string;
  readonly #bases: readonly Base[];
  readonly #segments: readonly Segment[];

  constructor(name: string, manifests: readonly Manifest[]) {
    this.name = name;
    const bases = new Map(manifests.map(({ base }) => [base.commit, base]));
    this.#bases = [...bases.values()].sort((a, b) => a.commit - b.commit);
    const segments = manifests.flatMap((manifest) => manifest.segments);
    this.#segments = [...new Map(segments.map((each) => [each.file.digest, each])).values()];
  }

  /** Yields the ways to a commit, that from the newest checkpoint first. */
  *pathsTo(commit: number): Generator<RestorePath> {
    for (const base of this.#bases.toReversed()) {
      if (base.commit > commit) continue;
      const segments = this.#walk(base.commit, commit);
      if (segments) yield { base, segments };
    }
  }

  /** Ascending, without overlaps. */
  ranges(): CommitRange[] {
    const ranges: CommitRange[] = [];
    for (const { commit: first } of this.#bases) {
      const last = this.#reach(first);
      const before = ranges.at(-1);
      if (before && first <= before.last + 1) {
        ranges[ranges.length - 1] = { first: before.first, last: Math.max(before.last, last) };
      } else {
        ranges.push({ first, last });
      }
    }
    return ranges;
  }

  #walk(from: number, to: number): Segment[] | undefined {
    const path: Segment[] = [];
    for (let at = from; at < to; at = path.at(-1)!.last) {
      const next = this.#after(at);
      if (!next) return undefined;
      path.push(next);
    }
    return path;
  }

  #reach(from: number): number {
    let at = from;
    for (let next = this.#after(at); next; next = this.#after(at)) at = next.last;
    return at;
  }

  /** Returns the longest segment with the next record. */
  #after(commit: number): Segment | undefined {
    let found: Segment | undefined;
    for (const segment of this.#segments) {
      const follows = segment.first <= commit + 1 && segment.last > commit;
      if (follows && segment.last > (found?.last ?? 0)) found = segment;
    }
    return found;
  }
}

/** Returns the chains of a repository, oldest first. */
export function chainsOf(manifests: readonly Manifest[]): Chain[] {
  const chains = new Map<string, Manifest[]>();
  for (const manifest of manifests) {
    chains.set(manifest.chain, [...(chains.get(manifest.chain) ?? []), manifest]);
  }
  return [...chains].map(([name, each]) => new Chain(name, each));
}

/** Returns commits that can be restored as text. */
export function rangesText(ranges: readonly CommitRange[]): string {
  if (ranges.length === 0) return 'none';
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first} to ${last}`)).join(', ');
}

export function timeText(time: number): string {
  return new Date(time).toISOString();
}
