import { hasId, ResultComparison } from '../../../ldpath/affected/changed-results.ts';
import { ResultWriter } from '../../../ldpath/evaluate/result-writer.ts';
import type { ChangedLines, ProgramChangesJob, ProgramChangesOutput } from '../../program-changes.ts';
import type { WorkerData } from '../../threads/worker-data.ts';
import { type CurrentStep, cancelledError } from '../current-step.ts';
import { ownTime } from '../own-time.ts';
import { Interruption, type PathEvaluator } from '../path-evaluator.ts';
import { shareOrCopy } from '../transfer.ts';
import { LineWriter } from './changed-lines.ts';
import { PlanCache } from './plans.ts';
import { openWindow, type WindowWork } from './window-work.ts';

/** A job begins no further start resource after comparing some for this many milliseconds. */
const JOB_MS = 10;
/** Time for one start resource, in milliseconds of the thread; one that takes longer is slow. */
const SLICE_MS = 50;
/** A job with more bytes of lines than this begins no further start resource. */
const ENOUGH_BYTES = 1024 * 1024;

/** A buffer that has grown beyond this size for huge results is not kept. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** What a line has besides a result of the greatest size: its IRI may be long. */
const LINE_BYTES = 16 * 1024 * 1024;

/** What a job works on. */
interface Window {
  readonly job: ProgramChangesJob;
  readonly affected: WindowWork['affected'];
  readonly comparison: ResultComparison;
  readonly lines: LineWriter;
}

/** How a job ended. */
type Rest = Pick<ChangedLines, 'next' | 'slow'>;

/** Compares the results of a stored program in two states. */
export class WindowRunner {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #plans = new PlanCache();
  readonly #lineBytes: number;
  #out: ResultWriter;

  constructor(evaluator: PathEvaluator, step: CurrentStep, { budget }: WorkerData) {
    this.#evaluator = evaluator;
    this.#step = step;
    this.#lineBytes = budget.resultBytes + LINE_BYTES;
    this.#out = new ResultWriter(this.#lineBytes);
  }

  /** The evaluator has the prefixes of the snapshot. Errors: those of compilation, `cancelled`. */
  run(job: ProgramChangesJob): ProgramChangesOutput {
    const began = performance.now();
    const { programs } = this.#evaluator;
    const { selection } = job.program;
    if (programs.known.mayChangeMeaning(selection.source, job.since)) return { kind: 'prefixes-changed' };
    const compiled = programs.compile(selection);
    if (compiled.mode !== 'program') throw new Error('Only programs are stored.');
    const parts = { program: compiled.program, plan: this.#plans.get(job.program, programs.known) };
    const work = openWindow(job, parts);
    if (typeof work === 'string') return { kind: work };
    const { states, affected } = work;
    this.#out.clear();
    const { position } = job;
    const settings = { compiled, graph: states.present, position };
    const lines = new LineWriter(this.#out, this.#evaluator, settings);
    const comparison = new ResultComparison(parts, states, this.#evaluator.evaluator, affected.oldMembers);
    const window = { job, affected, comparison, lines };
    const rest = job.slow ? this.#evaluateSlow(window) : this.#evaluateSome(window);
    const bytes = shareOrCopy(this.#out.slice());
    if (this.#out.bytes.length > KEPT_BYTES) this.#out = new ResultWriter(this.#lineBytes);
    const prepared = rest.next < affected.ids.length ? work.pack() : null;
    const milliseconds = performance.now() - began;
    const { errors, count } = lines;
    return { kind: 'lines', bytes, errors, count, prepared, ...rest, milliseconds };
  }

  #evaluateSome(window: Window): Rest {
    const { affected, job, lines } = window;
    const end = performance.now() + JOB_MS;
    const isFull = () => this.#out.length > ENOUGH_BYTES || performance.now() > end || this.#step.preempted;
    let next = job.next;
    for (; next < affected.ids.length; next++) {
      if (next > job.next && isFull()) break;
      this.#step.throwIfCancelled();
      const id = affected.ids[next]!;
      const { comparison } = window;
      const ending = this.#interruptibly(SLICE_MS, () => {
        const changed = hasId(affected.incomparable, id) ? comparison.presentOf(id) : comparison.compare(id);
        if (changed) lines.write(changed);
      });
      if (ending === 'preempted') break;
      if (ending === 'slow') return { next, slow: true };
    }
    return { next, slow: false };
  }

  /** It is not compared: that would take even longer, and the line may be sent in any case. */
  #evaluateSlow({ affected, job, comparison, lines }: Window): Rest {
    const { next } = job;
    const id = affected.ids[next]!;
    const ending = this.#interruptibly(Number.POSITIVE_INFINITY, () => lines.write(comparison.known(id)));
    return ending === 'done' ? { next: next + 1, slow: false } : { next, slow: true };
  }

  #interruptibly(milliseconds: number, work: () => void): 'done' | 'preempted' | 'slow' {
    const evaluator = this.#evaluator;
    const ownEnd = ownTime() + milliseconds;
    evaluator.sliceEnd = performance.now() + milliseconds;
    // Others may have had the processor.
    evaluator.extension = () => ownEnd - ownTime();
    evaluator.evaluations++;
    try {
      work();
      return 'done';
    } catch (error) {
      if (!(error instanceof Interruption)) throw error;
      if (error.reason === 'cancelled') throw cancelledError();
      return error.reason === 'preempted' ? 'preempted' : 'slow';
    } finally {
      evaluator.sliceEnd = Number.POSITIVE_INFINITY;
    }
  }
}
