import { compareCodePoints } from '../../rdf/model/code-points.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { jsonOf, type NamePage, type SortedNames } from '../../snapshot/graphs/sorted-names.ts';

/** Names on a page. Pages depend on visible names alone, and so does how a list is sent. */
const PAGE = 512;

/** Which of the names that match are listed. */
interface Listed {
  readonly prefix: string;
  readonly offset: number;
  readonly limit: number;
  readonly visible: IriPatterns;
}

/** Names that follow each other: all that begin with a text, or one name. */
interface Range {
  readonly from: string;
  readonly whole: boolean;
}

/**
 * Yields the pages of a list of those names that match patterns. It looks at these names alone,
 * however many others there are.
 */
export function* visiblePages(
  names: SortedNames,
  { prefix, offset, limit, visible }: Listed,
): Generator<NamePage, undefined> {
  let skipped = 0;
  let left = limit;
  let page: string[] = [];
  for (const name of namesIn(names, rangesOf(visible, prefix))) {
    if (left <= 0) break;
    if (skipped++ < offset) continue;
    page.push(name);
    left--;
    if (page.length < PAGE) continue;
    yield pageOf(page);
    page = [];
  }
  if (page.length > 0) yield pageOf(page);
  return undefined;
}

function pageOf(names: readonly string[]): NamePage {
  return { names, json: () => jsonOf(names) };
}

/** Looks names up a block at a time, so a list may change while it is sent. */
function* namesIn(names: SortedNames, ranges: readonly Range[]): Generator<string> {
  for (const { from, whole } of ranges) {
    const isIn = (name: string) => (whole ? name.startsWith(from) : name === from);
    for (let next = from, inside = true; inside; ) {
      const found: readonly string[] = names.pageFrom(next)?.names ?? [];
      for (const name of found) {
        inside = isIn(name);
        if (!inside) break;
        yield name;
      }
      if (found.length === 0) break;
      // The least name that is greater than the last one.
      next = `${found.at(-1)}\0`;
    }
  }
}

/** Returns what matches the patterns and begins with the prefix, in order and without overlaps. */
function rangesOf({ names, prefixes }: IriPatterns, prefix: string): Range[] {
  const wide = prefixes.flatMap((each) => {
    if (each.startsWith(prefix)) return [each];
    return prefix.startsWith(each) ? [prefix] : [];
  });
  const narrow = names.filter((name) => name.startsWith(prefix));
  const all = [
    ...wide.map((from) => ({ from, whole: true })),
    ...narrow.map((from) => ({ from, whole: false })),
  ].sort((a, b) => compareCodePoints(a.from, b.from) || Number(b.whole) - Number(a.whole));
  const ranges: Range[] = [];
  for (const range of all) {
    const last = ranges.at(-1);
    // What a range contains follows it in this order.
    if (!last?.whole || !range.from.startsWith(last.from)) ranges.push(range);
  }
  return ranges;
}
