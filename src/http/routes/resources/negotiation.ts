import { LRUCache } from 'lru-cache';
import { type Candidate, negotiate } from '../../../rdf/media-types/accept.ts';
import { parseMediaRanges } from '../../../rdf/media-types/media-range.ts';
import {
  formatByMediaType,
  formatByShortName,
  formats,
  readableTypes,
} from '../../../rdf/media-types/media-types.ts';
import type { HttpResponse } from '../../server/message.ts';
import type { Rel } from './link.ts';

/** One representation of a resource: content or metadata, and `type/subtype`. */
export interface Representation {
  readonly rel: Rel;
  readonly mime: string;
}

/** The page of a resource in the console. It is not a representation of the resource. */
export const PAGE = { rel: 'page', mime: 'text/html' } as const;

/** What a resource offers to GET besides its metadata. */
interface Offer {
  /** Of its content, if the resource has content. */
  readonly contentType: string | undefined;
  readonly page: boolean;
}

/** Number of cached decisions: clients send few different headers. */
const KEPT_DECISIONS = 500;
const MAX_KEY = 1024;
const decisions = new LRUCache<string, Decision>({ max: KEPT_DECISIONS });
/** The latest decision: comparing its input costs less than looking it up. */
let last: Decision | undefined;

interface Decision extends Offer {
  readonly accept: string | undefined;
  readonly format: string | undefined;
  readonly choice: Representation | typeof PAGE | undefined;
}

/** Returns the `type/subtype` of a `Content-Type` value. */
export function mimeOf(contentType: string): string {
  const end = contentType.indexOf(';');
  return end === -1 ? contentType : contentType.slice(0, end);
}

/** Returns all representations of a resource, content first. */
function available(contentType: string | undefined): Representation[] {
  const content = contentType === undefined ? [] : [{ rel: 'content', mime: mimeOf(contentType) } as const];
  return [...content, ...readableTypes.map((mime) => ({ rel: 'meta', mime }) as const)];
}

/**
 * Chooses between content, metadata and the page. The parameter `format`
 * replaces `Accept`. Returns undefined if nothing is acceptable.
 */
export function chooseRepresentation(
  accept: string | undefined,
  format: string | undefined,
  offer: Offer,
): Decision['choice'] {
  const isLast =
    last !== undefined &&
    last.accept === accept &&
    last.format === format &&
    last.contentType === offer.contentType &&
    last.page === offer.page;
  if (!isLast) last = decisionOf(accept, format, offer);
  return last!.choice;
}

function decisionOf(
  accept: string | undefined,
  format: string | undefined,
  { contentType, page }: Offer,
): Decision {
  const key = `${page}\n${contentType ?? ''}\n${format ?? ''}\n${accept ?? ''}`;
  const known = key.length > MAX_KEY ? undefined : decisions.get(key);
  if (known) return known;
  const choice = decide(accept, format?.trim(), { contentType, page });
  const decision = { accept, format, contentType, page, choice };
  if (key.length <= MAX_KEY) decisions.set(key, decision);
  return decision;
}

function decide(
  accept: string | undefined,
  format: string | undefined,
  { contentType, page }: Offer,
): Decision['choice'] {
  const named = format === undefined ? undefined : formatByShortName(format, 'rdfjson');
  if (named) {
    return { rel: 'meta', mime: format?.toLowerCase() === 'json' ? 'application/json' : named.mediaType };
  }
  // A text without a media range matches nothing (G-53); it is not a wildcard.
  if (format !== undefined && parseMediaRanges(format).length === 0) return undefined;
  const mime = contentType === undefined ? undefined : mimeOf(contentType);
  const content = mime === undefined ? [] : [contentCandidate(mime)];
  // A document that was stored for people to read is what a browser should show.
  const isDocument = mime !== undefined && hypertext.has(mime);
  const pages = page && !isDocument && !isJavaDefault(format ?? accept) ? [pageCandidate] : [];
  const choice = negotiate(format ?? accept, [...content, ...metaCandidates, ...pages]);
  if (!choice) return undefined;
  if (choice.candidate === pageCandidate) return PAGE;
  // Content has one name, whichever alias the client used.
  return choice.candidate.rel === 'content'
    ? { rel: 'content', mime: choice.candidate.type }
    : { rel: 'meta', mime: choice.type };
}

const metaCandidates: readonly Candidate[] = [
  ...formats.map(({ mediaType, outputAliases }) => ({
    type: mediaType,
    aliases: outputAliases,
    rel: 'meta',
  })),
  { type: 'application/json', rel: 'meta' },
];

/**
 * Whether a Java program has not set `Accept`: `HttpURLConnection` then prefers HTML, but its users
 * are programs that read data.
 */
function isJavaDefault(accept = ''): boolean {
  return /^text\/html, image\/gif, image\/jpeg, (?:\*; ?q=0?\.2, ?)?\*\/\*; ?q=0?\.2$/.test(accept);
}

/** Ranges with the `rel` of another representation do not match it. */
const pageCandidate: Candidate = { type: PAGE.mime, rel: PAGE.rel };
const hypertext: ReadonlySet<string> = new Set([PAGE.mime, 'application/xhtml+xml']);

function contentCandidate(type: string): Candidate {
  return { type, aliases: aliasesOf(type).filter((alias) => alias !== type), rel: 'content' };
}

/** Returns all names of a type (http-api 1.6), or only the type itself if it is not an RDF type. */
function aliasesOf(type: string): readonly string[] {
  const format = type === 'application/json' ? undefined : formatByMediaType(type, 'rdfjson', 'output');
  return format ? [format.mediaType, ...format.outputAliases] : [type];
}

/** Whether two names denote the same type. */
export function isSameType(asked: string, stored: string): boolean {
  return asked === stored || aliasesOf(stored).includes(asked);
}

/**
 * Returns the 406 whose `Content-Type` lists the available representations. `but`: a type
 * that can't represent the description.
 */
export function notAcceptableResponse(contentType: string | undefined, but?: string): HttpResponse {
  const list = available(contentType)
    .filter(({ rel, mime }) => rel === 'content' || mime !== but)
    .map(({ rel, mime }) => `${mime};rel=${rel}`);
  return {
    status: 406,
    headers: [
      ['Content-Type', list.join(',')],
      ['Vary', 'Accept'],
      ['Cache-Control', 'no-cache'],
    ],
    body: `${list.join('\n')}\n`,
  };
}
