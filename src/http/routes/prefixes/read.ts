import { type Failure, failure, wrongState } from '../../../errors.ts';
import { negotiate } from '../../../rdf/media-types/accept.ts';
import type { KnownPrefix, PrefixSource, StoredPrefix } from '../../../services/prefixes/service.ts';
import { decideRead, withoutDates } from '../../headers/conditional.ts';
import { formatEntityTag } from '../../headers/entity-tag.ts';
import { formatLastModified } from '../../headers/last-modified.ts';
import { rejectUnlessJson } from '../../json-response.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { PrefixOptions, PrefixTableService } from './service.ts';

/** The variant of the entity tag of a namespace as plain text. */
export const TEXT_VARIANT = 'txt';

const representations = [
  { type: 'text/plain', contentType: 'text/plain; charset=utf-8', variant: TEXT_VARIANT },
  { type: 'application/json', contentType: 'application/json', variant: 'json' },
] as const;

export const sources: readonly PrefixSource[] = ['stored', 'settings', 'built-in'];

const revalidated: Header = ['Cache-Control', 'no-cache'];

/** Handles GET and HEAD of prefixes (P-90, P-92). */
export class PrefixReads {
  readonly #prefixes: PrefixTableService;
  readonly #run: string;

  constructor(prefixes: PrefixTableService, { run }: PrefixOptions) {
    this.#prefixes = prefixes;
    this.#run = run;
  }

  list(request: HttpRequest, query: Query): HandlerResult {
    const source = query.get('source');
    if (source !== undefined && !isSource(source)) return badSource;
    const rejected = rejectUnlessJson(request);
    if (rejected) return rejected;
    const state = this.#prefixes.tableState;
    const entityTag = formatEntityTag(state, `${source ?? 'all'}.${this.#run}`);
    const validators: Header[] = [['ETag', entityTag], revalidated];
    // What is removed leaves no date.
    const decision = decideRead(withoutDates(request), entityTag, { state, modified: 0 });
    if (decision === 'not-modified') return { status: 304, headers: validators };
    if (decision === 'precondition-failed') return wrongState('The table of prefixes');
    const pairs = this.#prefixes.list(source).map(({ prefix, namespace }) => [prefix, namespace]);
    const headers: Header[] = [['Content-Type', 'application/json'], ...validators];
    return { status: 200, headers, body: JSON.stringify(Object.fromEntries(pairs)) };
  }

  read(request: HttpRequest, prefix: string): HandlerResult {
    const known = this.#prefixes.get(prefix);
    if (!known) return unknownPrefix(prefix);
    const choice = negotiate(request.header('accept'), representations);
    if (!choice) return notAcceptable;
    const { contentType, variant } = choice.candidate;
    const headers: Header[] = [['Vary', 'Accept'], revalidated];
    if (isStored(known)) {
      const current = this.#prefixes.validators(known);
      const entityTag = formatEntityTag(current.state, variant);
      headers.push(['ETag', entityTag], ['Last-Modified', formatLastModified(current.modified)]);
      const decision = decideRead(request, entityTag, current);
      if (decision === 'not-modified') return { status: 304, headers };
      if (decision === 'precondition-failed') return wrongState(`The prefix '${prefix}'`);
    }
    const body = variant === 'json' ? JSON.stringify(this.#described(known)) : known.namespace;
    return { status: 200, headers: [['Content-Type', contentType], ...headers], body };
  }

  #described(known: KnownPrefix | StoredPrefix) {
    if (!isStored(known)) return known;
    const { commit, modified, ...facts } = known;
    return {
      ...facts,
      commit,
      position: this.#prefixes.position(commit),
      modified: new Date(modified).toISOString(),
      tag: formatEntityTag(this.#prefixes.validators(known).state, TEXT_VARIANT),
    };
  }
}

export function isStored(known: KnownPrefix | StoredPrefix): known is StoredPrefix {
  return known.source === 'stored';
}

export function unknownPrefix(prefix: string): Failure {
  return failure('prefix-not-found', `The server knows no prefix '${prefix}'.`);
}

function isSource(text: string): text is PrefixSource {
  return sources.some((source) => source === text);
}

const badSource = failure('bad-query', `The parameter 'source' can be ${sources.join(', ')}.`);

const notAcceptable = failure('not-acceptable', 'A prefix is available as text and as JSON only.', {
  available: representations.map(({ type }) => type),
});
