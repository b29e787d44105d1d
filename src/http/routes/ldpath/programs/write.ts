import { writesEverything } from '../../../../base/graph-access.ts';
import { type Precondition, preconditionHolds } from '../../../../base/precondition.ts';
import { type Failure, failure, noSuchProgram, wrongState } from '../../../../errors.ts';
import type { Traceability } from '../../../../pool/evaluation-request.ts';
import { isProgramName } from '../../../../services/ldpath/stored-programs.ts';
import { writePrecondition } from '../../../headers/conditional.ts';
import { formatEntityTag } from '../../../headers/entity-tag.ts';
import type { Query } from '../../../query.ts';
import { type HandlerResult, type HttpRequest, rejection } from '../../../server/message.ts';
import { definitionHead, readDefinition } from './definition.ts';
import { TEXT_VARIANT } from './read.ts';
import type { Programs } from './service.ts';

/**
 * Handles PUT and DELETE of stored programs (P-40, P-41). Errors are checked in the order of
 * http-api 1.10.
 */
export class ProgramWrites {
  readonly #programs: Programs;
  readonly #maxBytes: number;

  /** `maxBytes`: of a program. */
  constructor(programs: Programs, maxBytes: number) {
    this.#programs = programs;
    this.#maxBytes = maxBytes;
  }

  async replace(request: HttpRequest, query: Query, name: string): Promise<HandlerResult> {
    if (!writesEverything(request)) return notForSome;
    if (!isProgramName(name)) return badName;
    const head = definitionHead(request, query);
    if (!head.ok && head.error.code !== 'unsupported-media-type') return head;
    const { writeError } = this.#programs;
    if (writeError) return rejection(writeError);
    if (!head.ok) return head;
    const precondition = writePrecondition(request);
    const failed = precondition && this.#unmet(name, precondition);
    if (failed) return failed;
    const definition = await readDefinition(request, head.value, this.#maxBytes);
    if (!definition.ok) return definition;
    const stored = await this.#programs.put(name, definition.value, precondition, request);
    if (!stored.ok) return stored;
    const { created, commit, warnings } = stored.value;
    const traceability = await this.#programs.traceability(definition.value, request);
    return {
      status: created ? 201 : 200,
      headers: [['Content-Type', 'application/json']],
      body: this.#receipt(commit, warnings, traceability),
    };
  }

  async remove(request: HttpRequest, name: string): Promise<HandlerResult> {
    if (!writesEverything(request)) return notForSome;
    const { writeError } = this.#programs;
    if (writeError) return rejection(writeError);
    if (!this.#programs.get(name)) return noSuchProgram(name);
    const precondition = writePrecondition(request);
    const failed = precondition && this.#unmet(name, precondition);
    if (failed) return failed;
    const removed = await this.#programs.remove(name, precondition);
    if (!removed.ok) return removed;
    return removed.value ? { status: 204, headers: [] } : noSuchProgram(name);
  }

  /**
   * Returns the error if a precondition does not hold now. The store checks it again when it
   * executes the write.
   */
  #unmet(name: string, precondition: Precondition): Failure | undefined {
    const program = this.#programs.get(name);
    const current = program && this.#programs.validators(program);
    return preconditionHolds(precondition, current) ? undefined : wrongState(`The program '${name}'`);
  }

  #receipt(commit: number, warnings: Uint8Array, traceability: Traceability): string {
    const { state } = this.#programs.validators({ commit, modified: 0 });
    return JSON.stringify({
      commit,
      position: this.#programs.position(commit),
      tag: formatEntityTag(state, TEXT_VARIANT),
      warnings: JSON.parse(Buffer.from(warnings).toString()) as unknown,
      ...traceability,
    });
  }
}

/** The error for a client that may not write all graphs: programs belong to none (G-164). */
const notForSome = failure(
  'forbidden',
  'Stored programs are written with credentials that may write all graphs.',
);

const badName = failure(
  'bad-path',
  "The name of a program has 1 to 128 letters, digits, '.', '_' and '-', and does not begin with a dot.",
);
