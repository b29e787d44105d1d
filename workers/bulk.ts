import { toErrorData } from '../src/errors.ts';
import { NO_TERM } from '../src/graph/term-id.ts';
import { ByteWriter, piece } from '../src/ldpath/byte-writer.ts';
import type { BulkError, BulkJob, BulkOutput } from '../src/pool/messages.ts';
import { unpackText } from '../src/pool/text-pack.ts';
import type { SnapshotReader } from '../src/snapshot/reader.ts';
import { type CurrentStep, cancelledError } from './current-step.ts';
import { existingStart, Interruption, type PathEvaluator } from './path-evaluator.ts';
import type { Compiled } from './program-cache.ts';

/** When a job stops to begin starts, in milliseconds: others wait for its thread. */
const JOB_MS = 30;
/** The time that one start may take here, in milliseconds; one that takes longer is evaluated by itself. */
const SLICE_MS = 50;
/** A job with more bytes of answers than this begins no further start. */
const ENOUGH_BYTES = 4 * 1024 * 1024;
/** A buffer that huge answers made bigger than this is not kept. */
const KEPT_BYTES = 2 * ENOUGH_BYTES;

const openLine = piece('{"uri":');
const COMMA = 0x2c;
const QUOTE = 0x22;
const closeLine = piece('}\n');

/** Answers the starts of a bulk job, one after another. */
export class BulkRunner {
  readonly #evaluator: PathEvaluator;
  readonly #step: CurrentStep;
  readonly #maxBytes: number;
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
    const errors: BulkError[] = [];
    const count = job.starts.ends.length;
    const began = performance.now();
    let now = began;
    let done = 0;
    let ending: Ending = 'done';
    for (; done < count; done++) {
      now = performance.now();
      if (done > 0 && (now > began + JOB_MS || out.length > ENOUGH_BYTES)) break;
      this.#step.throwIfCancelled();
      this.#evaluator.sliceEnd = now + SLICE_MS;
      ending = this.#answer(job, done, compiled, graph, out, errors);
      if (ending !== 'done') break;
    }
    this.#evaluator.sliceEnd = Number.POSITIVE_INFINITY;
    const milliseconds = (done === count ? performance.now() : now) - began;
    if (out.bytes.length > KEPT_BYTES) this.#out = new ByteWriter(this.#maxBytes);
    return { bytes: out.slice(), errors, done, slow: ending === 'slow', milliseconds };
  }

  #answer(
    job: BulkJob,
    index: number,
    compiled: Compiled,
    graph: SnapshotReader,
    out: ByteWriter,
    errors: BulkError[],
  ): Ending {
    const before = out.length;
    const uri = unpackText(job.starts, index);
    try {
      const start = existingStart(uri, job.lenient, graph);
      out.append(openLine);
      writeUri(uri, start, graph, out);
      out.byte(COMMA);
      this.#evaluator.writeMembers(compiled, graph, start, out);
      out.append(closeLine);
      return 'done';
    } catch (error) {
      out.length = before;
      if (error instanceof Interruption) {
        if (error.reason === 'cancelled') throw cancelledError();
        return 'slow';
      }
      const data = toErrorData(error);
      // There was less room than an answer may take: in another job it has all of it.
      if (data.code === 'budget-exceeded' && before > 0) return 'crowded';
      errors.push({ at: before, uri, error: data });
      return 'done';
    }
  }
}

/** As a JSON string. Canonical forms are such strings already, but for their brackets. */
function writeUri(uri: string, term: string, graph: SnapshotReader, out: ByteWriter): void {
  const id = graph.find(term);
  if (id === NO_TERM) {
    out.text(JSON.stringify(uri));
    return;
  }
  const brackets = uri === term ? 0 : 1;
  out.byte(QUOTE);
  out.copy(graph.terms.bytes, graph.terms.start(id) + brackets, graph.terms.end(id) - brackets);
  out.byte(QUOTE);
}

type Ending = 'done' | 'slow' | 'crowded';
