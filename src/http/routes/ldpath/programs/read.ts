import type { Caller } from '../../../../base/caller.ts';
import { failure, noSuchProgram, wrongState } from '../../../../errors.ts';
import { negotiate } from '../../../../rdf/media-types/accept.ts';
import { startSetJson } from '../../../../rdf/model/resources/start-set.ts';
import type { StoredProgram } from '../../../../services/ldpath/stored-programs.ts';
import { decideRead } from '../../../headers/conditional.ts';
import { formatEntityTag } from '../../../headers/entity-tag.ts';
import { formatLastModified } from '../../../headers/last-modified.ts';
import { jsonResponse, rejectUnlessJson } from '../../../json-response.ts';
import type { Header } from '../../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../../server/message.ts';
import type { Programs } from './service.ts';

/** The variant of the entity tag of a program's plain text. */
export const TEXT_VARIANT = 'txt';

const representations = [
  { type: 'text/plain', contentType: 'text/plain; charset=utf-8', variant: TEXT_VARIANT },
  { type: 'application/ldpath', contentType: 'application/ldpath', variant: 'ldpath' },
  { type: 'application/json', contentType: 'application/json', variant: 'json' },
] as const;

/** Handles GET and HEAD of stored programs and of their list (P-40, P-42). */
export class ProgramReads {
  readonly #programs: Programs;
  readonly #base: string;

  /** `base`: base URI of the server, without a trailing slash. */
  constructor(programs: Programs, base: string) {
    this.#programs = programs;
    this.#base = base;
  }

  async list(request: HttpRequest): Promise<HandlerResult> {
    const rejected = rejectUnlessJson(request);
    if (rejected) return rejected;
    const programs = this.#programs.list();
    const entries = await Promise.all(programs.map((program) => this.#listed(program, request)));
    return jsonResponse(JSON.stringify(entries));
  }

  async read(request: HttpRequest, name: string): Promise<HandlerResult> {
    const program = this.#programs.get(name);
    if (!program) return noSuchProgram(name);
    const choice = negotiate(request.header('accept'), representations);
    if (!choice) return notAcceptable;
    const { variant, contentType } = choice.candidate;
    const current = this.#programs.validators(program);
    const entityTag = formatEntityTag(current.state, variant);
    const validators: Header[] = [
      ['ETag', entityTag],
      ['Last-Modified', formatLastModified(current.modified)],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ];
    const decision = decideRead(request, entityTag, current);
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return wrongState(`The program '${name}'`);
    const body =
      variant === 'json' ? JSON.stringify(await this.#described(program, request)) : program.source;
    return { status: 200, headers: [['Content-Type', contentType], ...validators], body };
  }

  async #listed(program: StoredProgram, caller: Caller) {
    const self = `${this.#base}/ldpath/programs/${program.name}`;
    const { program: _, namespaces: __, ...facts } = await this.#described(program, caller);
    return { ...facts, links: { self, results: `${self}/results`, changes: `${self}/changes` } };
  }

  async #described(program: StoredProgram, caller: Caller) {
    const { name, source, starts, namespaces = {}, commit, modified } = program;
    return {
      name,
      program: source,
      starts: starts ? startSetJson(starts) : null,
      namespaces,
      bytes: Buffer.byteLength(source),
      commit,
      position: this.#programs.position(commit),
      modified: new Date(modified).toISOString(),
      tag: formatEntityTag(this.#programs.validators(program).state, TEXT_VARIANT),
      ...(await this.#programs.traceability(program, caller)),
    };
  }
}

const notAcceptable = failure('not-acceptable', 'A program is available as text and as JSON only.', {
  available: representations.map(({ type }) => type),
});
