import { Turns } from '../../base/turns.ts';
import { fromErrorData, type Result } from '../../errors.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import { jsonOf, type NamePage, type SortedNames } from '../../snapshot/graphs/sorted-names.ts';
import { visiblePages } from './visible-names.ts';

export interface ListOptions {
  /**
   * Whether entries are objects with the names, labels and sizes of graphs; otherwise they are
   * names.
   */
  readonly labels: boolean;
  /** Only names that begin with this text are listed. */
  readonly prefix: string;
  readonly offset: number;
  readonly limit: number;
  /** Only names that match are listed, and counted; undefined for all. */
  readonly visible: IriPatterns | undefined;
}

/** Returns entries with labels for names. Both are JSON, separated by commas. */
export type DescribeGraphs = (names: Uint8Array) => Promise<Result<Uint8Array>>;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');
/**
 * Number of pages described together: a message to another thread costs as much as describing
 * dozens of graphs.
 */
const DESCRIBED_PAGES = 4;

/**
 * Returns the JSON array of a list of graphs (http-api 2.3): as a whole if it is short, otherwise
 * in parts as fast as the client reads them. Each part is made from the names at that time, so a
 * slow client does not occupy resources. A graph that exists all the time is listed once; one that
 * is created or removed meanwhile may be missing.
 */
export async function listGraphs(
  names: SortedNames,
  options: ListOptions,
  describe: DescribeGraphs,
): Promise<Result<Uint8Array | AsyncIterable<Uint8Array>>> {
  const parts = partsOf(names, options);
  const toJson = async (part: Uint8Array): Promise<Result<Uint8Array>> =>
    options.labels ? describe(part) : { ok: true, value: part };
  const { value: part } = parts.next();
  if (!part) return { ok: true, value: Buffer.from('[]') };
  const first = await toJson(part);
  if (!first.ok) return first;
  const { value: second } = parts.next();
  const value = second
    ? stream(first.value, second, parts, toJson)
    : Buffer.concat([OPEN, first.value, CLOSE]);
  return { ok: true, value };
}

async function* stream(
  first: Uint8Array,
  second: Uint8Array,
  parts: Iterator<Uint8Array>,
  toJson: (part: Uint8Array) => Promise<Result<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.concat([OPEN, first]);
  for (let part: Uint8Array | undefined = second; part; part = parts.next().value) {
    await turns.next();
    const json = await toJson(part);
    if (!json.ok) throw fromErrorData(json.error);
    yield Buffer.concat([COMMA, json.value]);
  }
  yield CLOSE;
}

/** Of all lists together. */
const turns = new Turns();

/**
 * Yields names as JSON, separated by commas, in parts. Each part is looked up when it is requested.
 */
function* partsOf(names: SortedNames, options: ListOptions): Generator<Uint8Array, undefined> {
  const { visible } = options;
  const pages = visible ? visiblePages(names, { ...options, visible }) : pagesOf(names, options);
  for (let page = pages.next().value; page; page = pages.next().value) {
    const part = [page.json()];
    for (let count = 1; options.labels && count < DESCRIBED_PAGES; count++) {
      const more = pages.next().value;
      if (more) part.push(COMMA, more.json());
    }
    yield part.length === 1 ? part[0]! : Buffer.concat(part);
  }
  return undefined;
}

function* pagesOf(
  names: SortedNames,
  { prefix, offset, limit }: ListOptions,
): Generator<NamePage, undefined> {
  let next = names.at(names.rank(prefix) + offset);
  for (let left = limit; next !== undefined && left > 0; ) {
    const page = names.pageFrom(next);
    if (!page) return undefined;
    const listed = within(page, prefix, left);
    if (listed.names.length === 0) return undefined;
    yield listed;
    left -= listed.names.length;
    // The least name that is greater than the last one.
    next = `${listed.names.at(-1)}\0`;
  }
  return undefined;
}

/** Returns the names of a page that begin with the prefix, at most `limit`. */
function within(page: NamePage, prefix: string, limit: number): NamePage {
  const { names } = page;
  if (names.length <= limit && names.at(-1)!.startsWith(prefix)) return page;
  const listed = names.filter((name) => name.startsWith(prefix)).slice(0, limit);
  return { names: listed, json: () => jsonOf(listed) };
}
