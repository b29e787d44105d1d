import { failure, type Result } from '../../errors.ts';
import { badIri, isAbsoluteIri } from '../iri.ts';
import type { Query } from '../query.ts';

/** Which graph a request at `/context` means (http-api 2.1). */
export interface ContextTarget {
  readonly graph: string;
  /** The URL at which it can be read, for `Location`. */
  readonly url: string;
}

/** `/context?graph=G` and `/context?default`; undefined when neither is given. Errors: `bad-iri`, `bad-query`. */
export function queriedTarget(
  query: Query,
  base: string,
  defaultGraph: string,
): Result<ContextTarget | undefined> {
  const graph = query.get('graph');
  const wantsDefault = query.has('default');
  if (graph === undefined) {
    return { ok: true, value: wantsDefault ? byParameter(defaultGraph, base) : undefined };
  }
  if (wantsDefault) return failure('bad-query', bothGiven);
  if (!isAbsoluteIri(graph)) return { ok: false, error: badIri('graph', graph) };
  return { ok: true, value: byParameter(graph, base) };
}

const bothGiven = "The parameters 'graph' and 'default' name one graph each: give one of them.";

/** Bare `/context` in a write: the graph that the request URI names. */
export function bareTarget(base: string): ContextTarget {
  return byParameter(`${base}/context`, base);
}

/** `/context/{uuid}`: the graph that the request URI names. Error `bad-iri`. */
export function directTarget(rest: string, base: string): Result<ContextTarget> {
  const graph = `${base}/context/${rest}`;
  if (isAbsoluteIri(graph)) return { ok: true, value: { graph, url: graph } };
  return { ok: false, error: badIri('The path', graph) };
}

/** The address of a graph by parameter; the same for all ways of naming it. */
export function canonicalUrl(graph: string, base: string): string {
  return `${base}/context?graph=${encodeURIComponent(graph)}`;
}

function byParameter(graph: string, base: string): ContextTarget {
  return { graph, url: canonicalUrl(graph, base) };
}
