import { AppError, type Result, toErrorData } from '../../errors.ts';
import { isTrap } from '../../rdf/oxigraph.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { DescriptorReceiver, type DescriptorUpdate } from '../../snapshot/descriptor-link.ts';
import { SnapshotReader } from '../../snapshot/reader.ts';
import type { SparqlBatch, SparqlJob, SparqlOutput, SparqlThreadData } from '../messages.ts';
import type { SparqlAnswer, SparqlEffects, SparqlQuery, UpdateRequest } from '../request.ts';
import { ThreadStatus } from '../thread-status.ts';
import { evaluateQuery } from './evaluate-query.ts';
import { BrokenError } from './faults.ts';
import { MergedGraphs } from './merged-graphs.ts';
import { Mirror } from './mirror.ts';
import { evaluateUpdate } from './update.ts';

/** A batch ends after the job that goes beyond it, in milliseconds. */
const BATCH_MS = 3;
/** Memory beyond that of the data that a thread may keep, as a share of it and in bytes. */
const KEPT_SHARE = 1.5;
const KEPT_BYTES = 64 * 1024 * 1024;

/** What runs in a SPARQL thread: an instance, and the jobs for it. */
export class Runner {
  readonly #data: SparqlThreadData;
  readonly #status: ThreadStatus;
  readonly #snapshots = new DescriptorReceiver();
  #snapshot: SnapshotDescriptor | undefined;
  #mirror: Mirror | undefined;
  #merged: MergedGraphs | undefined;
  /** Bytes that the instance had when it was made. */
  #filledBytes = 0;

  constructor(data: SparqlThreadData) {
    this.#data = data;
    this.#status = new ThreadStatus(data.status);
  }

  run(batch: SparqlBatch): SparqlOutput {
    const { jobs } = batch;
    const times: number[] = [];
    const results: Result<SparqlAnswer | SparqlEffects>[] = [];
    try {
      const mirror = this.#upToDate(batch.snapshot);
      const start = performance.now();
      for (let last = start; results.length < jobs.length && last - start < BATCH_MS; ) {
        this.#status.begin(results.length);
        results.push(this.#outcome(jobs[results.length]!, mirror));
        const now = performance.now();
        times.push(now - last);
        last = now;
        if (!this.#mirror) break;
      }
    } catch (error) {
      const failed = { ok: false, error: toErrorData(error) } as const;
      const isTooBig = failed.error.code === 'sparql-unavailable';
      return { results: jobs.map(() => failed), times: jobs.map(() => 0), isBloated: true, isTooBig };
    }
    return { results, times, isBloated: this.#isBloated(), isTooBig: false };
  }

  #outcome(job: SparqlJob, mirror: Mirror): Result<SparqlAnswer | SparqlEffects> {
    try {
      return job.kind === 'update'
        ? this.#update(job.update, mirror)
        : { ok: true, value: this.#query(job.query, mirror) };
    } catch (error) {
      if (error instanceof BrokenError) this.#mirror = undefined;
      return { ok: false, error: toErrorData(error) };
    }
  }

  #update(request: UpdateRequest, mirror: Mirror): Result<SparqlEffects> {
    const { result, isSpoilt } = evaluateUpdate(mirror, request);
    if (isSpoilt) this.#mirror = undefined;
    return result;
  }

  #query(query: SparqlQuery, mirror: Mirror): SparqlAnswer {
    const { settings } = this.#data;
    const onAnswer = () => {
      this.#status.step = 'writing';
    };
    const body = evaluateQuery(query, { mirror, merged: this.#merged!, settings, onAnswer });
    return { sequence: mirror.sequence, body };
  }

  /** The instance with the data of the newest snapshot. Error `sparql-unavailable`. */
  #upToDate(update: DescriptorUpdate | undefined): Mirror {
    if (update) this.#snapshot = this.#snapshots.receive(update);
    if (this.#mirror && !update) return this.#mirror;
    const reader = new SnapshotReader(this.#snapshot!);
    try {
      this.#status.step = 'following';
      if (!this.#mirror?.follow(reader, this.#data.changeFeed)) this.#fill(reader);
      return this.#mirror!;
    } catch (error) {
      this.#mirror = undefined;
      throw isTrap(error) ? tooBig(this.#data.settings.maxBytes) : error;
    }
  }

  #fill(reader: SnapshotReader): void {
    this.#mirror = undefined;
    this.#status.step = 'filling';
    const mirror = Mirror.fill(reader, this.#data.settings, (quads) => {
      this.#status.progress = quads;
    });
    this.#mirror = mirror;
    this.#merged = new MergedGraphs(mirror);
    this.#filledBytes = mirror.limited.memory.buffer.byteLength;
  }

  #isBloated(): boolean {
    if (!this.#mirror) return true;
    return this.#mirror.limited.memory.buffer.byteLength > KEPT_SHARE * this.#filledBytes + KEPT_BYTES;
  }
}

function tooBig(maxBytes: number): AppError {
  const message = `The data do not fit into the ${maxBytes} bytes that an instance of the SPARQL engine may have (--sparql-max). See docs/sparql.md for engines of their own beside this server.`;
  return new AppError('sparql-unavailable', message);
}
