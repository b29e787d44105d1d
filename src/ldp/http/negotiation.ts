import { LRUCache } from 'lru-cache';
import { negotiate, negotiateRdf, type RdfChoice, withoutCharset } from '../../rdf/media-types/accept.ts';
import type { RdfFormat } from '../../rdf/media-types/media-types.ts';

/** Number of cached decisions: clients send few different headers. */
const KEPT_DECISIONS = 500;
const MAX_KEY = 1024;
const decisions = new LRUCache<string, Decision>({ max: KEPT_DECISIONS });
/** The latest decision: comparing a header costs less than looking it up. */
let last: Decision | undefined;

interface Decision {
  readonly accept: string | undefined;
  readonly choice: RdfChoice | undefined;
}

/**
 * Returns the RDF format of a response (http-api 5.4, G-43), or undefined if none is acceptable.
 * The content type has no charset, not even for Turtle, where G-60 requires one: half of the tests
 * of the W3C suite, which must pass (5.13), compare the header with `text/turtle` literally and
 * call the type unsupported when anything follows.
 */
export function chooseFormat(accept: string | undefined): RdfChoice | undefined {
  if (last === undefined || last.accept !== accept) last = decisionOf(accept);
  return last.choice;
}

/** Like `chooseFormat`, for a document that some formats can't represent (http-api G-54). */
export function chooseOtherFormat(
  accept: string | undefined,
  but: readonly RdfFormat[],
): RdfChoice | undefined {
  return bare(negotiateRdf(accept, undefined, 'jsonld', but));
}

function decisionOf(accept: string | undefined): Decision {
  const key = accept ?? '';
  const known = decisions.get(key);
  if (known) return known;
  const decision = { accept, choice: bare(negotiateRdf(accept, undefined, 'jsonld')) };
  if (key.length <= MAX_KEY) decisions.set(key, decision);
  return decision;
}

function bare(choice: RdfChoice | undefined): RdfChoice | undefined {
  return choice && { ...choice, contentType: withoutCharset(choice.contentType) };
}

/** Whether a binary's media type, `type/subtype`, is acceptable. */
export function takesType(accept: string | undefined, mime: string): boolean {
  return negotiate(accept, [{ type: mime }]) !== undefined;
}
