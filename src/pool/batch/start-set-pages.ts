import type { Caller } from '../../base/caller.ts';
import { type ErrorCode, fromErrorData, type Result } from '../../errors.ts';
import type { StartSet } from '../../rdf/model/resources/start-set.ts';
import type { StartsJob, StartsOutput } from '../messages.ts';
import type { WholeTask } from '../runs/submission.ts';
import type { StartList } from './start-list.ts';
import { type StartPack, startText } from './start-pack.ts';
import type { StartPosition } from './start-position.ts';

/** A request for the members of a set, in ascending order of their ids. */
export interface StartSetRequest {
  readonly set: StartSet;
  /** For the path of the set. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** Null for the beginning. */
  readonly after: StartPosition | null;
  /** Maximum number of members; infinite for all. */
  readonly limit: number;
}

/** Reads one page in a thread. */
export type ReadStarts = (
  job: Omit<StartsJob, 'kind' | 'snapshot' | 'visible' | 'slot'>,
  caller: Caller | undefined,
  whole: WholeTask | undefined,
) => Promise<Result<StartsOutput>>;

/** Number of members of a page: enough for some ranges of a batch (see `BatchRanges`). */
export const PAGE_STARTS = 16_384;
/** How often a page is requested: its thread may have been terminated because of other work. */
const ATTEMPTS = 3;
const finalCodes: ReadonlySet<ErrorCode> = new Set(['cancelled', 'shutting-down']);
const noStarts: StartPack = { bytes: new Uint8Array(0), bounds: new Uint32Array(0) };

/** The members of a set, page by page. It holds one page at a time. */
export class StartSetPages {
  /** Number of members that `next` returns altogether; null if it is unknown. */
  readonly total: number | null;
  readonly #request: StartSetRequest;
  readonly #read: ReadStarts;
  /** The first page until it is taken. */
  #first: StartsOutput | null;
  /** The page that was read last. */
  #last: StartsOutput;
  /** The members of the last page that had some; null if they were those before a cursor. */
  #before: StartPack | null;
  /** How many more members may be returned. */
  #left: number;

  /** Reads the first page. Errors: see `StartsJob`. */
  static async open(
    request: StartSetRequest,
    read: ReadStarts,
    caller: Caller | undefined,
  ): Promise<Result<StartSetPages>> {
    const { set, namespaces, after, limit } = request;
    const most = Math.min(PAGE_STARTS, limit);
    const job = { set, namespaces, after, before: null, selected: null, most, counted: true };
    const first = await read(job, caller, undefined);
    return first.ok ? { ok: true, value: new StartSetPages(request, read, first.value) } : first;
  }

  private constructor(request: StartSetRequest, read: ReadStarts, first: StartsOutput) {
    this.#request = request;
    this.#read = read;
    this.#first = first;
    this.#last = first;
    this.#before = request.after === null ? noStarts : null;
    this.#left = request.limit;
    this.total = first.total === null ? null : Math.min(first.total, request.limit);
  }

  /** Where further members begin after the last page, if `limit` has left some out; or null. */
  get rest(): StartPosition | null {
    return this.#left === 0 && !this.#last.isLast ? this.#last.after : null;
  }

  /**
   * Returns the next page, which may be empty; null after the last one. Call it again only after
   * the promise has settled. Throws if the page can't be read.
   */
  async next(caller: Caller, whole: WholeTask): Promise<StartPage | null> {
    if (this.#first === null && (this.#last.isLast || this.#left === 0)) return null;
    const output = this.#first ?? (await this.#readNext(caller, whole));
    this.#first = null;
    this.#last = output;
    this.#left -= output.ids.length;
    if (output.ids.length > 0) this.#before = output.starts;
    return new StartPage(output, output.isLast || this.#left === 0);
  }

  async #readNext(caller: Caller, whole: WholeTask): Promise<StartsOutput> {
    const { set, namespaces } = this.#request;
    const { after, selected } = this.#last;
    const most = Math.min(PAGE_STARTS, this.#left);
    const job = { set, namespaces, after, before: this.#before, selected, most, counted: false };
    for (let attempt = 1; ; attempt++) {
      const result = await this.#read(job, caller, whole);
      if (result.ok) return result.value;
      if (attempt === ATTEMPTS || finalCodes.has(result.error.code)) throw fromErrorData(result.error);
    }
  }
}

/** Some members of a set. */
export class StartPage implements StartList {
  readonly isLast: boolean;
  readonly #output: StartsOutput;

  constructor(output: StartsOutput, isLast: boolean) {
    this.#output = output;
    this.isLast = isLast;
  }

  get length(): number {
    return this.#output.ids.length;
  }

  text(index: number): string {
    return startText(this.#output.starts, index);
  }

  /** The bytes are shared with the thread, not copied. */
  pack(from: number, to: number): StartPack {
    const { bytes, bounds } = this.#output.starts;
    return { bytes, bounds: bounds.slice(2 * from, 2 * to) };
  }

  /** Returns the position after a member. */
  after(index: number): StartPosition {
    return { generation: this.#output.after.generation, id: this.#output.ids[index]! };
  }

  *[Symbol.iterator](): Generator<string> {
    for (let i = 0; i < this.length; i++) yield this.text(i);
  }
}
