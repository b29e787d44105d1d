import { ByteBudget } from '../../base/byte-budget.ts';
import type { Caller } from '../../base/caller.ts';
import { fromErrorData, noSuchProgram, type Result, toErrorData } from '../../errors.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import type { LdPathService } from '../ldpath/ldpath.ts';
import { ProgramStream, type ProgramStreamParts } from './program-stream.ts';
import type { Beginning, ChangeService } from './service.ts';
import { type WindowJobParts, WindowJobs } from './window-jobs.ts';

export interface ProgramFeedParts extends Omit<ProgramStreamParts, 'jobs' | 'held'>, WindowJobParts {
  readonly store: ProgramStreamParts['store'] & WindowJobParts['store'];
  readonly programs: ProgramStreamParts['programs'] & WindowJobParts['programs'];
  readonly paths: Pick<LdPathService, 'check'>;
  /** The most bytes of lines that are held for slow clients. */
  readonly maxHeld: number;
}

/** Streams of changed results of stored programs (http-api 7.4). */
export class ProgramFeed {
  readonly #changes: ChangeService;
  readonly #parts: ProgramFeedParts & ProgramStreamParts;

  constructor(changes: ChangeService, parts: ProgramFeedParts) {
    this.#changes = changes;
    this.#parts = { ...parts, jobs: new WindowJobs(parts), held: new ByteBudget(parts.maxHeld) };
  }

  /** Number of the newest commit. */
  get newest(): number {
    return this.#changes.newest;
  }

  positionOf(commit: number): string {
    return this.#changes.positionOf(commit);
  }

  has(name: string): boolean {
    return this.#parts.programs.get(name) !== undefined;
  }

  beginningAt(position: string): Promise<Result<Beginning>> {
    return this.#changes.beginningAt(position);
  }

  /**
   * Opens a stream of the results that have changed after a commit, or after the oldest one from
   * which the changes of the program can be known. It must be stopped; it is, when the client
   * disconnects. Errors: those of `ChangeService.openStream`, `position-gone` also for a
   * commit before the program was last changed, `program-not-found`, and those of compilation.
   */
  async follow(
    name: string,
    beginning: Beginning,
    format: Selection['format'],
    caller: Caller,
  ): Promise<Result<ProgramStream>> {
    const opened = await this.#changes.openStream(beginning, caller, async (kept, source, onStop) => {
      const program = this.#parts.programs.get(name);
      if (!program) throw fromErrorData(noSuchProgram(name).error);
      const since = beginning === 'oldest' ? Math.max(kept, program.commit) : kept;
      if (since < program.commit) {
        const reason = `The program '${name}' was changed after ${this.positionOf(since)}.`;
        throw fromErrorData(source.history.gone(reason, program.commit));
      }
      const { mode, source: text, namespaces } = program;
      const selection = { mode, source: text, ...(namespaces && { namespaces }), ...(format && { format }) };
      const checked = await this.#parts.paths.check(selection, caller);
      if (!checked.ok) throw fromErrorData(checked.error);
      return new ProgramStream(source, this.#parts, { program, selection, since, caller }, onStop);
    });
    if (!opened.ok) return opened;
    try {
      await opened.value.begin();
      return opened;
    } catch (error) {
      opened.value.stop();
      return { ok: false, error: toErrorData(error) };
    }
  }
}
