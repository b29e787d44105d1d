import { toErrorData } from '../src/errors.ts';
import { NO_TERM, type TermId } from '../src/graph/term-id.ts';
import { ByteWriter, piece } from '../src/ldpath/byte-writer.ts';
import type { StartNode } from '../src/ldpath/evaluation.ts';
import type { BulkJob, BulkJobError, BulkOutput } from '../src/pool/messages.ts';
import { type StartPack, startCount, startText } from '../src/pool/start-pack.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { BulkMemories } from './bulk-memories.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';
import { ownTime } from './own-time.ts';
import { existingStart, Interruption, type PathEvaluator } from './path-evaluator.ts';
import type { Compiled } from './program-cache.ts';

/** When a job stops to begin starts, in milliseconds of its thread's own time: others wait for the thread. */
const JOB_MS = 10;
/** The time that one start may take here, in the same milliseconds; one that takes longer is evaluated by itself. */
const SLICE_MS = 50;
/** After so many milliseconds others may have had the processor for most of the job. */
const STARVED_MS = 2 * JOB_MS;
/** Starts between two looks at the clock, while they take less than `QUICK_MS` together: looking takes as long as a term. */
const STARTS_A_CHECK = 16;
const QUICK_MS = 1;
/** Starts that are looked up together: what that brings near must still be near when the last of them is evaluated. */
const LOOKED_UP = 128;
/** A job with more bytes of answers than this begins no further start. */
const ENOUGH_BYTES = 4 * 1024 * 1024;
/** A buffer that huge answers made bigger than this is not kept. */
const KEPT_BYTES = 2 * ENOUGH_BYTES;

const openLine = piece('{"uri":"');
const COMMA = 0x2c;
const QUOTE = 0x22;
const closeLine = piece('}\n');
const LESS_THAN = 0x3c;

/** Answers the starts of a bulk job, one after another. */
export class BulkRunner {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #maxBytes: number;
  readonly #memories = new BulkMemories();
  readonly #ids = new Uint32Array(LOOKED_UP);
  #out: ByteWriter;

  /** `maxBytes` bounds the answer of one start. */
  constructor(evaluator: PathEvaluator, step: CurrentStep, maxBytes: number) {
    this.#evaluator = evaluator;
    this.#step = step;
    this.#maxBytes = maxBytes;
    this.#out = new ByteWriter(maxBytes);
  }

  run(job: BulkJob, graph: SnapshotReader): BulkOutput {
    const compiled = this.#evaluator.programs.compile(job.selection);
    const out = this.#out;
    out.clear();
    const errors: BulkJobError[] = [];
    const count = startCount(job.starts);
    const began = performance.now();
    const ownBegan = ownTime();
    const left = (milliseconds: number) => ownBegan + milliseconds - ownTime();
    let now = began;
    let jobEnd = began + JOB_MS;
    let nextCheck = 0;
    // By the time of the whole job: to ask for it at each start would take too long.
    this.#evaluator.extension = () => left(SLICE_MS);
    let done = 0;
    let ending: Ending = 'done';
    for (; done < count; done++) {
      if (done === nextCheck) {
        const before = now;
        now = performance.now();
        if (now > jobEnd) jobEnd = now + left(JOB_MS);
        if (done > 0 && (now > jobEnd || this.#step.recalled)) break;
        this.#step.throwIfCancelled();
        this.#evaluator.sliceEnd = now + SLICE_MS;
        nextCheck += now - before < QUICK_MS ? STARTS_A_CHECK : 1;
      }
      if (done > 0 && out.length > ENOUGH_BYTES) break;
      if (done % LOOKED_UP === 0) this.#lookUp(job.starts, done, graph);
      ending = this.#answer(job, done, compiled, graph, out, errors);
      if (ending !== 'done') break;
    }
    this.#evaluator.sliceEnd = Number.POSITIVE_INFINITY;
    const lines = this.#memories.keep(job.memory, out.bytes, out.length);
    if (out.bytes.length > KEPT_BYTES) this.#out = new ByteWriter(this.#maxBytes);
    const milliseconds = performance.now() - began;
    const typical = milliseconds <= STARVED_MS || left(milliseconds / 2) <= 0;
    return { lines, errors, done, slow: ending === 'slow', milliseconds: typical ? milliseconds : null };
  }

  /** Finds the ids of the next starts; 0 for those that no triple mentions. */
  #lookUp({ bytes, bounds }: StartPack, first: number, graph: SnapshotReader): void {
    const ids = this.#ids;
    const count = Math.min(LOOKED_UP, bounds.length / 2 - first);
    graph.terms.findAll(bytes, bounds, first, count, ids);
    for (let i = 0; i < count; i++) if (!graph.mentions(ids[i]!)) ids[i] = NO_TERM;
  }

  #answer(
    job: BulkJob,
    index: number,
    compiled: Compiled,
    graph: SnapshotReader,
    out: ByteWriter,
    errors: BulkJobError[],
  ): Ending {
    const before = out.length;
    const id = this.#ids[index % LOOKED_UP]!;
    try {
      const start =
        id === NO_TERM ? writeUnmentioned(job, index, graph, out) : writeMentioned(id, graph, out);
      this.#evaluator.writeMembers(compiled, graph, start, out);
      out.append(closeLine);
      return 'done';
    } catch (error) {
      out.length = before;
      if (error instanceof Interruption) {
        if (error.reason === 'cancelled') throw cancelledError();
        return error.reason === 'recalled' ? 'recalled' : 'slow';
      }
      const data = toErrorData(error);
      // There was less room than an answer may take: in another job it has all of it.
      if (data.code === 'budget-exceeded' && before > 0) return 'crowded';
      errors.push({ at: before, start: index, error: data });
      return 'done';
    }
  }
}

/** Begins the line of a start. Canonical forms are JSON strings already, but for their brackets. */
function writeMentioned(id: TermId, { terms }: SnapshotReader, out: ByteWriter): StartNode {
  const from = terms.start(id);
  const brackets = terms.bytes[from] === LESS_THAN ? 1 : 0;
  out.append(openLine);
  out.copy(terms.bytes, from + brackets, terms.end(id) - brackets);
  out.byte(QUOTE);
  out.byte(COMMA);
  return id;
}

/** The same for one that no triple mentions, if it counts as existing for all that. */
function writeUnmentioned(
  { starts, lenient }: BulkJob,
  index: number,
  graph: SnapshotReader,
  out: ByteWriter,
): StartNode {
  const uri = startText(starts, index);
  const start = existingStart(uri, lenient, graph);
  out.text(`{"uri":${JSON.stringify(uri)},`);
  return start;
}

type Ending = 'done' | 'slow' | 'recalled' | 'crowded';
