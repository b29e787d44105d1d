import { piece } from '../../base/bytes/writer.ts';
import { toErrorData } from '../../errors.ts';
import type { StartNode } from '../../ldpath/evaluate/evaluation.ts';
import { ResultWriter } from '../../ldpath/evaluate/result-writer.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import type { SnapshotReader } from '../../snapshot/read/reader.ts';
import { type StartPack, startCount, startText } from '../batch/start-pack.ts';
import type { BatchJob, BatchJobError, BatchOutput } from '../messages.ts';
import { BatchMemories } from './batch-memories.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';
import { ownTime } from './own-time.ts';
import { existingStart, Interruption, type PathEvaluator } from './path-evaluator.ts';
import { type Compiled, isShaped } from './program-cache.ts';

/**
 * After this many milliseconds of its thread's own time a job begins no further start resource,
 * because others wait for the thread.
 */
const JOB_MS = 10;
/**
 * Time for one start resource here, in the same milliseconds; one that takes longer is evaluated
 * individually.
 */
const SLICE_MS = 50;
/**
 * If a job takes longer than this, in milliseconds, others may have had the processor for most of
 * it.
 */
const STARVED_MS = 2 * JOB_MS;
/**
 * Number of start resources between two checks of the clock, while they take less than `FAST_MS`
 * together: a check takes as long as finding a term.
 */
const STARTS_A_CHECK = 16;
const FAST_MS = 1;
/**
 * Number of start resources that are looked up together: the memory that this loads into the caches
 * must still be there when the last of them is evaluated.
 */
const LOOKED_UP = 128;
/** A job whose results have more bytes than this begins no further start resource. */
const ENOUGH_BYTES = 4 * 1024 * 1024;
/** A buffer that has grown beyond this size for huge results is not kept. */
const KEPT_BYTES = 2 * ENOUGH_BYTES;

const openLine = piece('{"uri":"');
const COMMA = 0x2c;
const QUOTE = 0x22;
const closeLine = piece('}\n');
const LESS_THAN = 0x3c;

/** A job, and where its results go. */
interface CurrentJob {
  readonly job: BatchJob;
  readonly compiled: Compiled;
  readonly graph: SnapshotReader;
  readonly out: ResultWriter;
  readonly errors: BatchJobError[];
  omitted: number;
}

/** Evaluates the start resources of a job one after another. */
export class BatchRunner {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #maxBytes: number;
  readonly #memories = new BatchMemories();
  readonly #ids = new Uint32Array(LOOKED_UP);
  #out: ResultWriter;

  /** `maxBytes` limits the result of one start resource. */
  constructor(evaluator: PathEvaluator, step: CurrentStep, maxBytes: number) {
    this.#evaluator = evaluator;
    this.#step = step;
    this.#maxBytes = maxBytes;
    this.#out = new ResultWriter(maxBytes);
  }

  run(job: BatchJob, graph: SnapshotReader): BatchOutput {
    const compiled = this.#evaluator.programs.compile(job.selection);
    const out = this.#out;
    out.clear();
    const errors: BatchJobError[] = [];
    const current: CurrentJob = { job, compiled, graph, out, errors, omitted: 0 };
    const count = startCount(job.starts);
    const began = performance.now();
    const ownBegan = ownTime();
    const left = (milliseconds: number) => ownBegan + milliseconds - ownTime();
    let now = began;
    let jobEnd = began + JOB_MS;
    let nextCheck = 0;
    // Measured for the whole job, since reading the time for each start resource would take too
    // long.
    this.#evaluator.extension = () => left(SLICE_MS);
    let done = 0;
    let ending: Ending = 'done';
    for (; done < count; done++) {
      if (done === nextCheck) {
        const before = now;
        now = performance.now();
        if (now > jobEnd) jobEnd = now + left(JOB_MS);
        if (done > 0 && (now > jobEnd || this.#step.preempted)) break;
        this.#step.throwIfCancelled();
        this.#evaluator.sliceEnd = now + SLICE_MS;
        nextCheck += now - before < FAST_MS ? STARTS_A_CHECK : 1;
      }
      if (done > 0 && out.length > ENOUGH_BYTES) break;
      if (done % LOOKED_UP === 0) this.#lookUp(job.starts, done, graph);
      ending = this.#evaluate(current, done);
      if (ending !== 'done') break;
    }
    this.#evaluator.sliceEnd = Number.POSITIVE_INFINITY;
    const lines = this.#memories.keep(job.memory, out.bytes, out.length);
    if (out.bytes.length > KEPT_BYTES) this.#out = new ResultWriter(this.#maxBytes);
    const milliseconds = performance.now() - began;
    const typical = milliseconds <= STARVED_MS || left(milliseconds / 2) <= 0;
    return {
      lines,
      errors,
      done,
      omitted: current.omitted,
      slow: ending === 'slow',
      milliseconds: typical ? milliseconds : null,
    };
  }

  /** Finds the ids of the next start resources; 0 for those that no triple mentions. */
  #lookUp({ bytes, bounds }: StartPack, first: number, graph: SnapshotReader): void {
    const ids = this.#ids;
    const count = Math.min(LOOKED_UP, bounds.length / 2 - first);
    graph.terms.findAll(bytes, bounds.subarray(2 * first, 2 * (first + count)), ids);
    for (let i = 0; i < count; i++) if (!isResource(ids[i]!, graph)) ids[i] = NO_TERM;
  }

  #evaluate(current: CurrentJob, index: number): Ending {
    const { job, compiled, graph, out, errors } = current;
    const before = out.length;
    const id = this.#ids[index % LOOKED_UP]!;
    try {
      if (isShaped(compiled)) {
        const start = id === NO_TERM ? existingStart(startText(job.starts, index), job.lenient, graph) : id;
        const subject = { graph, start };
        if (!this.#evaluator.writeListed(compiled, subject, job.filtered, out)) current.omitted++;
        return 'done';
      }
      const start =
        id === NO_TERM ? writeUnmentioned(job, index, graph, out) : writeMentioned(id, graph, out);
      if (!job.filtered) this.#evaluator.writeMembers(compiled, graph, start, out);
      else if (!this.#evaluator.writeAccepted(compiled, graph, start, out)) {
        out.length = before;
        current.omitted++;
        return 'done';
      }
      out.append(closeLine);
      return 'done';
    } catch (error) {
      out.length = before;
      if (error instanceof Interruption) {
        if (error.reason === 'cancelled') throw cancelledError();
        return error.reason === 'preempted' ? 'preempted' : 'slow';
      }
      const data = toErrorData(error);
      // There was less room than a result may take. In another job it has all of it.
      if (data.code === 'budget-exceeded' && before > 0) return 'crowded';
      errors.push({ at: before, start: index, error: data });
      return 'done';
    }
  }
}

/**
 * Begins the line of a start resource. Without its brackets, a canonical form is a valid JSON
 * string.
 */
function writeMentioned(id: TermId, { terms }: SnapshotReader, out: ResultWriter): StartNode {
  const from = terms.start(id);
  const brackets = terms.bytes[from] === LESS_THAN ? 1 : 0;
  out.append(openLine);
  out.copy(terms.bytes, from + brackets, terms.end(id) - brackets);
  out.byte(QUOTE);
  out.byte(COMMA);
  return id;
}

/** The same for one that no triple mentions, if it counts as existing. */
function writeUnmentioned(
  { starts, lenient }: BatchJob,
  index: number,
  graph: SnapshotReader,
  out: ResultWriter,
): StartNode {
  const uri = startText(starts, index);
  const start = existingStart(uri, lenient, graph);
  out.text(`{"uri":${JSON.stringify(uri)},`);
  return start;
}

/** Whether a triple mentions a term. What clients send may have the form of a triple term. */
function isResource(id: TermId, graph: SnapshotReader): boolean {
  return graph.mentions(id) && !isTripleTermAt(graph.terms.bytes, graph.terms.start(id));
}

type Ending = 'done' | 'slow' | 'preempted' | 'crowded';
