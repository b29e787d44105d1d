import { LRUCache } from 'lru-cache';
import { negotiate, negotiateRdf, type RdfChoice } from '../../rdf/accept.ts';
import { formatByMediaType, RDF_XML } from '../../rdf/media-types.ts';
import { mimeOf } from './resource-negotiation.ts';

/** Decisions that are kept: clients send few different headers. */
const KEPT_DECISIONS = 500;
const MAX_KEY = 1024;
const decisions = new LRUCache<string, Decision>({ max: KEPT_DECISIONS });
/** The one that was asked for last: to compare a header costs less than to look it up. */
let last: Decision | undefined;

interface Decision {
  readonly accept: string | undefined;
  readonly choice: RdfChoice | undefined;
}

/**
 * The RDF format of a response (http-api 5.4, G-43); undefined when none is acceptable. No charset is named here, not even
 * of Turtle, where G-60 has one: the W3C suite, which is to pass (5.13), reads `text/turtle` as it stands, and calls the
 * type unsupported in half of its tests when anything follows.
 */
export function chooseFormat(accept: string | undefined): RdfChoice | undefined {
  if (last === undefined || last.accept !== accept) last = decisionOf(accept);
  return last.choice;
}

/** The same where RDF/XML can't hold what is to be written (http-api G-54). */
export function chooseOtherFormat(accept: string | undefined): RdfChoice | undefined {
  return bare(negotiateRdf(accept, undefined, 'jsonld', rdfXml));
}

const rdfXml = formatByMediaType(RDF_XML, 'jsonld', 'output');

function decisionOf(accept: string | undefined): Decision {
  const key = accept ?? '';
  const known = decisions.get(key);
  if (known) return known;
  const decision = { accept, choice: bare(negotiateRdf(accept, undefined, 'jsonld')) };
  if (key.length <= MAX_KEY) decisions.set(key, decision);
  return decision;
}

function bare(choice: RdfChoice | undefined): RdfChoice | undefined {
  return choice && { ...choice, contentType: mimeOf(choice.contentType) };
}

/** Whether a binary's own media type, `type/subtype`, is acceptable. */
export function takesType(accept: string | undefined, mime: string): boolean {
  return negotiate(accept, [{ type: mime }]) !== undefined;
}
