import { failure, type Result } from '../../errors.ts';
import { badIri, isAbsoluteIri } from '../iri.ts';
import type { Query } from '../query.ts';

/** Which graph a request at `/context` or `/store` means (http-api 2.1). */
export interface ContextTarget {
  readonly graph: string;
  /** The URL at which it can be read, for `Location`. */
  readonly url: string;
}

/**
 * `?graph=G` and `?default` at `place`, the URL of `/context` or `/store`; undefined when neither
 * is given. Errors: `bad-iri`, `bad-query`.
 */
export function queriedTarget(
  query: Query,
  place: string,
  defaultGraph: string,
): Result<ContextTarget | undefined> {
  const graph = query.get('graph');
  const wantsDefault = query.has('default');
  if (graph === undefined) {
    return { ok: true, value: wantsDefault ? byParameter(defaultGraph, place) : undefined };
  }
  if (wantsDefault) return failure('bad-query', bothGiven);
  if (!isAbsoluteIri(graph)) return { ok: false, error: badIri('graph', graph) };
  return { ok: true, value: byParameter(graph, place) };
}

const bothGiven = "The parameters 'graph' and 'default' name one graph each: give one of them.";

/** Bare `/context` in a write: the graph that the request URI names. */
export function bareTarget(place: string): ContextTarget {
  return byParameter(place, place);
}

/** `/context/{uuid}` and `/store/{path}`: the graph that the request URI names. Error `bad-iri`. */
export function directTarget(rest: string, place: string): Result<ContextTarget> {
  const graph = `${place}/${rest}`;
  if (isAbsoluteIri(graph)) return { ok: true, value: { graph, url: graph } };
  return { ok: false, error: badIri('The path', graph) };
}

/** The address of a graph by parameter; the same for all ways of naming it. */
export function canonicalUrl(graph: string, base: string): string {
  return urlAt(`${base}/context`, graph);
}

function byParameter(graph: string, place: string): ContextTarget {
  return { graph, url: urlAt(place, graph) };
}

function urlAt(place: string, graph: string): string {
  return `${place}?graph=${encodeURIComponent(graph)}`;
}
