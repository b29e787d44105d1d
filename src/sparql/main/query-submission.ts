import type { Caller } from '../../base/caller.ts';
import type { ErrorData, Result } from '../../errors.ts';
import { Submission } from '../../pool/runs/submission.ts';
import { programKey } from '../../pool/scheduling/quarantine.ts';
import type { TaskInfo } from '../../pool/tasks/map.ts';
import type { IriPatterns } from '../../rdf/model/resources/iri-patterns.ts';
import type { SparqlJob } from '../messages.ts';
import type { SparqlEffects, SparqlQuery, SparqlResult, WaitingUpdate } from '../request.ts';
import type { ThreadStatus } from '../thread-status.ts';
import { withoutNumbers } from '../unavailable.ts';

/** Characters of a text that its task shows. */
const SHOWN = 1_000;

/** The group of queries and updates. */
export const SPARQL = 'SPARQL';

export type WaitingJob =
  | { readonly kind: 'query'; readonly query: SparqlQuery }
  | { readonly kind: 'update'; readonly update: WaitingUpdate };

/** The thread that evaluates a submission, as shown by its task. */
interface RunningThread {
  readonly name: string;
  readonly status: ThreadStatus | undefined;
  readonly batch: { readonly submissions: readonly Submission[]; readonly started: number } | null;
}

/** A query or update that waits or runs. */
export class SparqlSubmission extends Submission {
  readonly unit = null;
  readonly #job: WaitingJob;
  /** The thread that it runs on. */
  thread: RunningThread | null = null;
  readonly #resolve: (result: Result<SparqlResult | SparqlEffects>) => void;

  constructor(
    job: WaitingJob,
    submitted: number,
    caller: Caller | undefined,
    resolve: (result: Result<SparqlResult | SparqlEffects>) => void,
  ) {
    super(submitted, caller, undefined);
    this.#job = job;
    this.#resolve = resolve;
  }

  /** Returns the job for a thread that receives the newest snapshot. */
  jobNow(): SparqlJob {
    const job = this.#job;
    return job.kind === 'query' ? job : { kind: 'update', update: job.update.requestNow() };
  }

  get text(): string {
    return this.#job.kind === 'query' ? this.#job.query.text : this.#job.update.text;
  }

  get programKey(): string {
    return programKey(this.text, this.#visible);
  }

  /** Whether the client may not read all graphs. */
  get isRestricted(): boolean {
    return this.#visible !== undefined;
  }

  get #visible(): IriPatterns | undefined {
    return this.#job.kind === 'query' ? this.#job.query.visible : this.#job.update.visible;
  }

  override get group(): string {
    return SPARQL;
  }

  get info(): TaskInfo {
    const { kind } = this.#job;
    return { group: SPARQL, label: kind, detail: { [kind]: this.text.slice(0, SHOWN) } };
  }

  settle(result: Result<SparqlResult | SparqlEffects>): void {
    if (this.settled) return;
    this.settled = true;
    if (!result.ok) this.failure = result.error.code;
    this.#resolve(result);
  }

  fail(error: ErrorData): void {
    this.settle({ ok: false, error: this.isRestricted ? withoutNumbers(error) : error });
  }
}
