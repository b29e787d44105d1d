import type { Caller } from '../../base/caller.ts';
import { fromErrorData, noSuchProgram, type Result, toErrorData } from '../../errors.ts';
import type { Selection } from '../../pool/evaluation-request.ts';
import type { LdPathService } from '../ldpath/ldpath.ts';
import { ProgramStream, type ProgramStreamParts } from './program-stream.ts';
import type { ChangeService } from './service.ts';

export interface ProgramFeedParts extends ProgramStreamParts {
  readonly paths: Pick<LdPathService, 'check'>;
}

/** Streams of changed results of stored programs (http-api 7.4). */
export class ProgramFeed {
  readonly #changes: ChangeService;
  readonly #parts: ProgramFeedParts;

  constructor(changes: ChangeService, parts: ProgramFeedParts) {
    this.#changes = changes;
    this.#parts = parts;
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

  /**
   * Returns the commit that a position names. 0 stands for the oldest from which the changes of the
   * program can be known. Errors: those of `ChangeService.commitOf`.
   */
  async commitOf(position: string, name: string): Promise<Result<number>> {
    const found = await this.#changes.commitOf(position);
    if (!found.ok || position !== '0') return found;
    const changed = this.#parts.programs.get(name)?.commit ?? 0;
    return { ok: true, value: Math.max(found.value, changed) };
  }

  /**
   * Opens a stream of the results that have changed after a commit. It must be stopped; it is, when
   * the client disconnects. Errors: those of `ChangeService.openStream`, `position-gone` also for a
   * commit before the program was last changed, `program-not-found`, and those of compilation.
   */
  async follow(
    name: string,
    since: number,
    format: Selection['format'],
    caller: Caller,
  ): Promise<Result<ProgramStream>> {
    const opened = await this.#changes.openStream(since, caller, async (source, onStop) => {
      const program = this.#parts.programs.get(name);
      if (!program) throw fromErrorData(noSuchProgram(name).error);
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
