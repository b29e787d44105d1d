import { type JsonLdProfile, knownProfile, withProfile } from './json-ld-profile.ts';
import { type MediaRange, parseMediaRanges } from './media-range.ts';
import { formatByShortName, formats, type JsonMeaning, type RdfFormat } from './media-types.ts';

/** A representation that can be offered to a client. */
export interface Candidate {
  /** Canonical media type, lower case. */
  readonly type: string;
  /** Other names under which it can be requested, lower case. */
  readonly aliases?: readonly string[];
  /**
   * The part of a resource (`meta` or `content`); without it the `rel` parameters of ranges are
   * ignored.
   */
  readonly rel?: string;
}

export interface Choice<C extends Candidate> {
  readonly candidate: C;
  /** The name that the client asked for: the canonical type, or a listed alias of it (G-41). */
  readonly type: string;
  /** The form that the client asked for if this is JSON-LD. */
  readonly profile?: JsonLdProfile;
}

/**
 * Content negotiation (G-50 to G-52). Candidates are in the order in which they win ties. Returns
 * undefined if none is acceptable.
 */
export function negotiate<C extends Candidate>(
  accept: string | undefined,
  candidates: readonly C[],
): Choice<C> | undefined {
  // Most clients with many requests name one type. This shortcut takes a tenth of the time.
  const named = candidates.find(({ type }) => type === accept);
  if (named) return { candidate: named, type: named.type };
  const ranges = parseMediaRanges(accept ?? '');
  return choose(ranges.length === 0 ? [anything] : ranges, candidates);
}

/** A candidate that a parameter of the URL can name by a short name. */
export interface NamedCandidate extends Candidate {
  /** In lower case. */
  readonly shortNames: readonly string[];
}

/**
 * The same if a parameter may replace `Accept`: a short name, a media type, or a list in the syntax
 * of `Accept` (G-53).
 */
export function negotiateFormat<C extends NamedCandidate>(
  accept: string | undefined,
  format: string | undefined,
  candidates: readonly C[],
): Choice<C> | undefined {
  if (format === undefined) return negotiate(accept, candidates);
  const name = format.trim().toLowerCase();
  const candidate = candidates.find(({ shortNames }) => shortNames.includes(name));
  return candidate ? { candidate, type: candidate.type } : choose(parseMediaRanges(format), candidates);
}

const anything: MediaRange = { type: '*', subtype: '*', q: 1 };

interface Match {
  readonly quality: number;
  readonly specificity: number;
  readonly profile?: JsonLdProfile;
}

const noMatch: Match = { quality: 0, specificity: -1 };

function choose<C extends Candidate>(
  ranges: readonly MediaRange[],
  candidates: readonly C[],
): Choice<C> | undefined {
  const explicit = ranges.filter((range) => range.subtype !== '*');
  let best = noMatch;
  let choice: Choice<C> | undefined;
  for (const candidate of candidates) {
    for (const type of [candidate.type, ...(candidate.aliases ?? [])]) {
      // An alias must be requested by name: a wildcard only selects canonical types.
      const match = bestMatch(type === candidate.type ? ranges : explicit, type, candidate.rel);
      if (match.quality > 0 && compare(match, best) > 0) {
        best = match;
        const { profile } = match;
        choice = { candidate, type, ...(profile && { profile }) };
      }
    }
  }
  return choice;
}

function compare(a: Match, b: Match): number {
  return a.quality - b.quality || a.specificity - b.specificity;
}

/**
 * Returns the most specific range that matches; of equally specific ones that of the highest
 * quality, and of several such the first with a known profile.
 */
function bestMatch(ranges: readonly MediaRange[], type: string, rel: string | undefined): Match {
  let best = noMatch;
  for (const range of ranges) {
    const found = specificity(range, type, rel);
    if (found < 0) continue;
    const profile = knownProfile(range.profile);
    const match = { quality: range.q, specificity: found, ...(profile && { profile }) };
    if (isBetter(match, best)) best = match;
  }
  return best;
}

function isBetter(match: Match, best: Match): boolean {
  if (match.specificity !== best.specificity) return match.specificity > best.specificity;
  if (match.quality !== best.quality) return match.quality > best.quality;
  return match.profile !== undefined && best.profile === undefined;
}

/**
 * Returns -1 for no match; otherwise a number that increases from the wildcard over `type/*` to the
 * type itself, and for each of them with a matching `rel`.
 */
function specificity(range: MediaRange, type: string, rel: string | undefined): number {
  const relCounts = rel !== undefined && range.rel !== undefined;
  if (relCounts && range.rel !== rel) return -1;
  const level = typeLevel(range, type);
  return level < 0 ? -1 : level * 2 + (relCounts ? 1 : 0);
}

function typeLevel(range: MediaRange, type: string): number {
  if (range.type === '*') return 0;
  if (range.subtype === '*') return type.startsWith(`${range.type}/`) ? 1 : -1;
  return type === `${range.type}/${range.subtype}` ? 2 : -1;
}

export interface RdfChoice {
  readonly format: RdfFormat;
  /** Value for the response header. */
  readonly contentType: string;
}

/**
 * Chooses the RDF format of a response. The parameter `format` replaces `Accept` completely, and
 * may be a short name, a media type, or a list in `Accept` syntax (G-53). `but` are formats that
 * are not available. Returns undefined if nothing is acceptable.
 */
export function negotiateRdf(
  accept: string | undefined,
  format: string | undefined,
  jsonMeans: JsonMeaning,
  but: readonly RdfFormat[] = [],
): RdfChoice | undefined {
  const all = rdfCandidates[jsonMeans];
  const candidates = but.length === 0 ? all : all.filter((candidate) => !but.includes(candidate.format));
  if (format === undefined) return rdfChoice(negotiate(accept, candidates));
  const name = format.trim();
  const named = formatByShortName(name, jsonMeans);
  if (named !== undefined) {
    if (but.includes(named)) return undefined;
    const type = name.toLowerCase() === 'json' ? 'application/json' : named.mediaType;
    return { format: named, contentType: withCharset(type) };
  }
  return rdfChoice(choose(parseMediaRanges(format), candidates));
}

/**
 * The media type of N-Triples in RDF 1.0, by which rdflib still requests them. Among the
 * representations of a resource it can be that of the content instead, so the table of formats has
 * it for input only.
 */
const N_TRIPLES_OF_2004 = 'text/plain';

interface RdfCandidate extends Candidate {
  readonly format: RdfFormat;
}

const rdfCandidates: Readonly<Record<JsonMeaning, readonly RdfCandidate[]>> = {
  rdfjson: listCandidates('rdfjson'),
  jsonld: listCandidates('jsonld'),
};

/** Returns the table of formats, then `application/json`, which has a row of its own at its end. */
function listCandidates(jsonMeans: JsonMeaning): RdfCandidate[] {
  const canonical = formats.map((format) => ({
    type: format.mediaType,
    aliases: format.shortName === 'nt' ? [N_TRIPLES_OF_2004] : format.outputAliases,
    format,
  }));
  const json = formatByShortName('json', jsonMeans)!;
  return [...canonical, { type: 'application/json', aliases: [], format: json }];
}

function rdfChoice(choice: Choice<RdfCandidate> | undefined): RdfChoice | undefined {
  return choice && chosenFormat(choice.candidate.format, choice);
}

/** Returns the format of a choice, in the form that the client asked for. */
export function chosenFormat(
  candidate: RdfFormat,
  { type: name, profile }: Pick<Choice<Candidate>, 'type' | 'profile'>,
): RdfChoice {
  const { format, type } = withProfile({ format: candidate, type: name }, profile);
  return { format, contentType: withCharset(type) };
}

const CHARSET = '; charset=utf-8';

/** Text is UTF-8 and is labelled as such; other types have no charset (G-60). */
export function withCharset(mediaType: string): string {
  return mediaType.startsWith('text/') ? mediaType + CHARSET : mediaType;
}

export function withoutCharset(contentType: string): string {
  return contentType.endsWith(CHARSET) ? contentType.slice(0, -CHARSET.length) : contentType;
}
