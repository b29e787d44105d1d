import { type ErrorData, fromErrorData, type Result, toErrorData } from '../../errors.ts';
import { isTrap } from '../../rdf/oxigraph/library.ts';
import { type LimitedOxigraph, limitedOxigraph } from '../../rdf/oxigraph/limited.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import { DescriptorReceiver } from '../../snapshot/feed/descriptor-link.ts';
import { SnapshotReader } from '../../snapshot/read/reader.ts';
import type { OnProgress } from '../engine/fill.ts';
import { BrokenError } from '../engine/oxigraph-errors.ts';
import { evaluateUpdate } from '../engine/update.ts';
import { parseUpdate } from '../language/update/parser.ts';
import type { SparqlBatch, SparqlJob, SparqlOutput, SparqlThreadData } from '../messages.ts';
import type { SparqlEffects, SparqlQuery, SparqlResult, UpdateRequest } from '../request.ts';
import { ThreadStatus } from '../thread-status.ts';
import { tooBig } from '../unavailable.ts';
import { evaluateQuery } from './evaluate-query.ts';
import { MergedGraphs } from './merged-graphs.ts';
import { Mirror, type MirrorImage } from './mirror.ts';

/** A batch ends after the job that exceeds this time, in milliseconds. */
const BATCH_MS = 3;
/** Memory that a thread may keep besides its data, as a multiple of their memory and in bytes. */
const KEPT_SHARE = 1.5;
const KEPT_BYTES = 64 * 1024 * 1024;

/** An image from which an instance was made is replaced if it is this many commits old. */
const OLD_COMMITS = 1_000;

const sound = { isBloated: false, isBroken: false, isTooBig: false, failure: undefined } as const;

/** The code of a SPARQL thread: an instance, and the jobs that run on it. */
export class Runner {
  readonly #data: SparqlThreadData;
  readonly #status: ThreadStatus;
  readonly #snapshots = new DescriptorReceiver();
  #snapshot: SnapshotDescriptor | undefined;
  #mirror: Mirror | undefined;
  #merged: MergedGraphs | undefined;
  /** The image for the next instance. */
  #known: MirrorImage | undefined;
  /** The image of an instance made in this batch, unless a recent image exists. */
  #image: MirrorImage | undefined;
  /** Whether the last batch ended after the instance was filled. */
  #endedEarly = false;
  /** An unused instance that was made ahead of time. */
  #blank: LimitedOxigraph | undefined;
  #hasParser = false;
  /** Bytes of the instance's memory when it was made. */
  #filledBytes = 0;

  constructor(data: SparqlThreadData) {
    this.#data = data;
    this.#status = new ThreadStatus(data.status);
    this.#blank = limitedOxigraph(data.settings.maxBytes);
  }

  run(batch: SparqlBatch): SparqlOutput {
    const { jobs } = batch;
    const times: number[] = [];
    const results: Result<SparqlResult | SparqlEffects>[] = [];
    try {
      const mirror = this.#upToDate(batch);
      if (this.#endsEarly()) return { ...sound, results, times, image: this.#takeImage() };
      const start = performance.now();
      for (let last = start; results.length < jobs.length && last - start < BATCH_MS; ) {
        const job = jobs[results.length]!;
        if (job.kind === 'update') this.#loadParser();
        this.#status.begin(results.length);
        results.push(this.#outcome(job, mirror));
        const now = performance.now();
        times.push(now - last);
        last = now;
        if (!this.#mirror) break;
      }
    } catch (error) {
      return this.#failed(jobs, toErrorData(error));
    }
    const state = { isBloated: this.#isBloated(), isBroken: !this.#mirror };
    return { ...sound, ...state, results, times, image: this.#takeImage() };
  }

  /** Without an instance, jobs are given back, unless others could not do them either. */
  #failed(jobs: readonly SparqlJob[], error: ErrorData): SparqlOutput {
    const isTooBig = error.code === 'sparql-unavailable';
    const failure = this.#mirror || isTooBig ? undefined : error.message;
    const failed = failure === undefined ? jobs : [];
    return {
      results: failed.map(() => ({ ok: false, error })),
      times: failed.map(() => 0),
      isBloated: true,
      isBroken: false,
      isTooBig,
      failure,
      image: undefined,
    };
  }

  /**
   * Whether the batch ends after an instance was filled, before its jobs. Then its image is not
   * lost if a job ends the thread. This is not done twice in a row: if the feed always lost
   * commits, the jobs would wait forever.
   */
  #endsEarly(): boolean {
    const ends = this.#image !== undefined && !this.#endedEarly;
    this.#endedEarly = ends;
    return ends;
  }

  #outcome(job: SparqlJob, mirror: Mirror): Result<SparqlResult | SparqlEffects> {
    if (job.kind === 'update') return this.#update(job.update, mirror);
    try {
      return { ok: true, value: this.#query(job.query, mirror) };
    } catch (error) {
      if (error instanceof BrokenError) this.#mirror = undefined;
      return { ok: false, error: toErrorData(error) };
    }
  }

  /**
   * Loads the parser before the first update begins: loading takes longer than most updates, and
   * must not count towards the update's time limit.
   */
  #loadParser(): void {
    if (!this.#hasParser) parseUpdate('INSERT DATA {}');
    this.#hasParser = true;
  }

  #update(update: UpdateRequest, mirror: Mirror): Result<SparqlEffects> {
    const { result, isSpoilt } = evaluateUpdate(mirror, update);
    if (isSpoilt) this.#mirror = undefined;
    return result;
  }

  #query(query: SparqlQuery, mirror: Mirror): SparqlResult {
    const { settings } = this.#data;
    const onResult = () => {
      this.#status.step = 'writing';
    };
    const body = evaluateQuery(query, { mirror, merged: this.#merged!, settings, onResult });
    return { sequence: mirror.sequence, body };
  }

  /** Returns the instance with the data of the newest snapshot. Error `sparql-unavailable`. */
  #upToDate({ snapshot: update, image }: SparqlBatch): Mirror {
    if (image) this.#known = image;
    if (update) this.#snapshot = this.#snapshots.receive(update);
    if (this.#mirror && !update) return this.#mirror;
    const reader = new SnapshotReader(this.#snapshot!);
    // The merged store belongs to a commit that no query sees any more.
    this.#merged?.forget();
    try {
      this.#status.step = 'following';
      if (!this.#hasFollowed(reader)) this.#make(reader);
      return this.#mirror!;
    } catch (error) {
      this.#mirror = undefined;
      throw isTrap(error) ? fromErrorData(tooBig('The data', this.#data.settings.maxBytes)) : error;
    }
  }

  /** Returns false if there is no instance, or if it can't follow the commits. */
  #hasFollowed(reader: SnapshotReader): boolean {
    try {
      return this.#mirror?.follow(reader, this.#data.changeFeed) ?? false;
    } catch {
      // Whether the data fit is decided by filling a new instance. An instance made from the image
      // would have to follow the same commits.
      this.#known = undefined;
      return false;
    }
  }

  #make(reader: SnapshotReader): void {
    // Both refer to the old instance, whose memory must not exist besides that of the new one.
    this.#mirror = undefined;
    this.#merged = undefined;
    const image = this.#known;
    const restored = image && this.#restored(image, reader);
    const mirror = restored ?? this.#filled(reader);
    this.#mirror = mirror;
    this.#merged = new MergedGraphs(mirror);
    this.#filledBytes = mirror.limited.memory.buffer.byteLength;
    const isOld = !restored || mirror.sequence - image.sequence > OLD_COMMITS;
    if (isOld) this.#known = this.#image = mirror.image();
  }

  #restored(image: MirrorImage, reader: SnapshotReader): Mirror | undefined {
    try {
      return Mirror.restore(image, reader, this.#data.changeFeed, this.#mirrorOptions());
    } catch {
      // Whatever the error is, a new instance can still be filled with the data.
      return undefined;
    }
  }

  #filled(reader: SnapshotReader): Mirror {
    this.#status.step = 'filling';
    return Mirror.fill(reader, this.#mirrorOptions());
  }

  /** For the next instance only: an unused Oxigraph is used once. */
  #mirrorOptions() {
    const { maxBytes, unnamedGraph } = this.#data.settings;
    return { maxBytes, unnamedGraph, onProgress: this.#onProgress, limited: this.#takeBlank() };
  }

  readonly #onProgress: OnProgress = (quads) => {
    if (quads === undefined) this.#status.beat();
    else this.#status.progress = quads;
  };

  #takeBlank(): LimitedOxigraph | undefined {
    const blank = this.#blank;
    this.#blank = undefined;
    return blank;
  }

  #takeImage(): MirrorImage | undefined {
    const image = this.#image;
    this.#image = undefined;
    return image;
  }

  #isBloated(): boolean {
    if (!this.#mirror) return true;
    return this.#mirror.limited.memory.buffer.byteLength > KEPT_SHARE * this.#filledBytes + KEPT_BYTES;
  }
}
