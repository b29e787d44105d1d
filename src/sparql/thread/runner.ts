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
import type { SparqlEffects, SparqlQuery, SparqlResult } from '../request.ts';
import { ThreadStatus } from '../thread-status.ts';
import { tooBig } from '../unavailable.ts';
import { evaluateQuery } from './evaluate-query.ts';
import { isBloated, type KeptInstance, keptInstance } from './kept-instance.ts';
import { Mirror, type MirrorImage } from './mirror.ts';
import { VisibleInstances } from './visible-instances.ts';

/** A batch ends after the job that exceeds this time, in milliseconds. */
const BATCH_MS = 3;

/** An image from which an instance was made is replaced if it is this many commits old. */
const OLD_COMMITS = 1_000;

/** Of a job; and whether its instance must not be used any more. */
interface Outcome<T> {
  readonly result: Result<T>;
  readonly isSpoilt: boolean;
}

const sound = { isBloated: false, isBroken: false, isTooBig: false, failure: undefined } as const;

/** The code of a SPARQL thread: an instance, and the jobs that run on it. */
export class Runner {
  readonly #data: SparqlThreadData;
  readonly #status: ThreadStatus;
  readonly #snapshots = new DescriptorReceiver();
  #snapshot: SnapshotDescriptor | undefined;
  /** The instance with all graphs. */
  #instance: KeptInstance | undefined;
  readonly #visible: VisibleInstances;
  /** The image for the next instance. */
  #known: MirrorImage | undefined;
  /** The image of an instance made in this batch, unless a recent image exists. */
  #image: MirrorImage | undefined;
  /** Whether the last batch ended after the instance was filled. */
  #endedEarly = false;
  /** An unused instance that was made ahead of time. */
  #blank: LimitedOxigraph | undefined;
  #hasParser = false;

  constructor(data: SparqlThreadData) {
    this.#data = data;
    this.#status = new ThreadStatus(data.status);
    this.#blank = limitedOxigraph(data.settings.maxBytes);
    this.#visible = new VisibleInstances({
      settings: data.settings,
      changeFeed: data.changeFeed,
      onFill: () => this.#status.reset('filling'),
      onProgress: this.#onProgress,
    });
  }

  run(batch: SparqlBatch): SparqlOutput {
    const { jobs } = batch;
    const times: number[] = [];
    const results: Result<SparqlResult | SparqlEffects>[] = [];
    try {
      const all = this.#upToDate(batch);
      if (this.#endsEarly()) return { ...sound, results, times, image: this.#takeImage() };
      for (let total = 0; this.#instance && results.length < jobs.length && total < BATCH_MS; ) {
        const job = jobs[results.length]!;
        if (job.kind === 'update') this.#loadParser();
        const instance = this.#instanceFor(job, all);
        const start = performance.now();
        if (instance.ok) this.#status.begin(results.length);
        results.push(instance.ok ? this.#outcome(job, instance.value) : instance);
        times.push(performance.now() - start);
        total += times.at(-1)!;
      }
    } catch (error) {
      return this.#failed(jobs, toErrorData(error));
    }
    const isUsable = this.#instance !== undefined && !isBloated(this.#instance);
    const state = { isBloated: !isUsable, isBroken: !this.#instance };
    return { ...sound, ...state, results, times, image: this.#takeImage() };
  }

  /** Without an instance, jobs are given back, unless others could not do them either. */
  #failed(jobs: readonly SparqlJob[], error: ErrorData): SparqlOutput {
    const isTooBig = error.code === 'sparql-unavailable';
    const failure = this.#instance || isTooBig ? undefined : error.message;
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

  /**
   * Returns the instance that contains what the client may read. Making it does not count towards
   * the time limit of the job. Error `sparql-unavailable`.
   */
  #instanceFor(job: SparqlJob, all: KeptInstance): Result<KeptInstance> {
    const { visible } = job.kind === 'query' ? job.query : job.update;
    if (!visible) return { ok: true, value: all };
    try {
      return { ok: true, value: this.#visible.for(visible, all.mirror.reader) };
    } catch (error) {
      return { ok: false, error: toErrorData(error) };
    }
  }

  #outcome(job: SparqlJob, instance: KeptInstance): Result<SparqlResult | SparqlEffects> {
    const { visible } = job.kind === 'query' ? job.query : job.update;
    const { result, isSpoilt } =
      job.kind === 'query' ? this.#query(job.query, instance) : evaluateUpdate(instance.mirror, job.update);
    if (visible && (isSpoilt || isBloated(instance))) this.#visible.drop(visible);
    if (!visible && isSpoilt) this.#instance = undefined;
    return result;
  }

  /**
   * Loads the parser before the first update begins: loading takes longer than most updates, and
   * must not count towards the update's time limit.
   */
  #loadParser(): void {
    if (!this.#hasParser) parseUpdate('INSERT DATA {}');
    this.#hasParser = true;
  }

  #query(query: SparqlQuery, { mirror, merged }: KeptInstance): Outcome<SparqlResult> {
    const { settings } = this.#data;
    const onResult = () => {
      this.#status.step = 'writing';
    };
    try {
      const body = evaluateQuery(query, { mirror, merged, settings, onResult });
      return { result: { ok: true, value: { sequence: mirror.sequence, body } }, isSpoilt: false };
    } catch (error) {
      return { result: { ok: false, error: toErrorData(error) }, isSpoilt: error instanceof BrokenError };
    }
  }

  /** Returns the instance with the data of the newest snapshot. Error `sparql-unavailable`. */
  #upToDate({ snapshot: update, image }: SparqlBatch): KeptInstance {
    if (image) this.#known = image;
    if (update) this.#snapshot = this.#snapshots.receive(update);
    if (this.#instance && !update) return this.#instance;
    const reader = new SnapshotReader(this.#snapshot!);
    // The merged store belongs to a commit that no query sees any more.
    this.#instance?.merged.forget();
    try {
      this.#status.step = 'following';
      if (!this.#hasFollowed(reader)) this.#make(reader);
      return this.#instance!;
    } catch (error) {
      this.#instance = undefined;
      throw isTrap(error) ? fromErrorData(tooBig('The data', this.#data.settings.maxBytes)) : error;
    }
  }

  /** Returns false if there is no instance, or if it can't follow the commits. */
  #hasFollowed(reader: SnapshotReader): boolean {
    try {
      return this.#instance?.mirror.follow(reader, this.#data.changeFeed) ?? false;
    } catch {
      // Whether the data fit is decided by filling a new instance. An instance made from the image
      // would have to follow the same commits.
      this.#known = undefined;
      return false;
    }
  }

  #make(reader: SnapshotReader): void {
    // The memory of the old instance must not exist besides that of the new one.
    this.#instance = undefined;
    const image = this.#known;
    const restored = image && this.#restored(image, reader);
    const mirror = restored ?? this.#filled(reader);
    this.#instance = keptInstance(mirror);
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
}
