import { setImmediate as nextTurn } from 'node:timers/promises';
import { fromErrorData, type Result } from '../errors.ts';
import { jsonOf, type NamePage, type SortedNames } from '../snapshot/sorted-names.ts';

export interface ListOptions {
  /** Entries are objects with the names, labels and sizes of graphs; else they are names. */
  readonly labels: boolean;
  /** Lists only names that begin with this. */
  readonly prefix: string;
  readonly offset: number;
  readonly limit: number;
}

/** Makes entries with labels, as JSON with commas between them, of names in that form. */
export type DescribeGraphs = (names: Uint8Array) => Promise<Result<Uint8Array>>;

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');
const COMMA = Buffer.from(',');
/** Pages that are described at a time: a message to another thread costs as much as describing dozens of graphs. */
const DESCRIBED_PAGES = 4;

/**
 * The JSON array of a listing (http-api 2.3): whole when it is short, else part by part as the client takes it. Then each part is
 * made from the names as they are at that time, so a slow client holds nothing back: a graph that exists all the while is
 * listed once, one that comes or goes meanwhile may be missing.
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
    await turn();
    const json = await toJson(part);
    if (!json.ok) throw fromErrorData(json.error);
    yield Buffer.concat([COMMA, json.value]);
  }
  yield CLOSE;
}

let last: Promise<unknown> = Promise.resolve();

/** Of all listings together, one part is written in a turn of the event loop. */
function turn(): Promise<unknown> {
  last = last.then(() => nextTurn());
  return last;
}

/** Names as JSON with commas between them, one part after another; each is looked up when it is asked for. */
function* partsOf(names: SortedNames, options: ListOptions): Generator<Uint8Array, undefined> {
  const pages = pagesOf(names, options);
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
    // The least name that is greater.
    next = `${listed.names.at(-1)}\0`;
  }
  return undefined;
}

/** The names of a page that begin with the prefix, at most `limit`. */
function within(page: NamePage, prefix: string, limit: number): NamePage {
  const { names } = page;
  if (names.length <= limit && names.at(-1)!.startsWith(prefix)) return page;
  const listed = names.filter((name) => name.startsWith(prefix)).slice(0, limit);
  return { names: listed, json: () => jsonOf(listed) };
}
