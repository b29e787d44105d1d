import { failure, type Result } from '../../../errors.ts';
import { isIri } from '../../../rdf/model/iri.ts';
import { badIri } from '../../iri-parameter.ts';
import type { Query } from '../../query.ts';

/** The graph that a request at `/context` or `/store` addresses (http-api 2.1). */
export interface ContextTarget {
  readonly graph: string;
  /** The URL at which the graph can be read, for `Location`. */
  readonly url: string;
}

/**
 * Returns the graph of `?graph=G` or `?default` at `place`, the URL of `/context` or `/store`;
 * undefined if neither is present. Errors: `bad-iri`, `bad-query`.
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
  if (!isIri(graph)) return badIri('graph', graph);
  return { ok: true, value: byParameter(graph, place) };
}

const bothGiven = "Only one of the parameters 'graph' and 'default' is allowed.";

/**
 * Returns the target of a write at `/context` without a parameter: the graph with the request URI
 * as its name.
 */
export function bareTarget(place: string): ContextTarget {
  return byParameter(place, place);
}

/**
 * Returns the target of `/context/{uuid}` and `/store/{path}`: the graph with the request URI as
 * its name. Error `bad-iri`.
 */
export function directTarget(rest: string, place: string): Result<ContextTarget> {
  const graph = `${place}/${rest}`;
  if (isIri(graph)) return { ok: true, value: { graph, url: graph } };
  return badIri('The path', graph);
}

/**
 * Returns the address of a graph by parameter, which is the same for all ways to name the graph.
 */
export function canonicalUrl(graph: string, base: string): string {
  return urlAt(`${base}/context`, graph);
}

function byParameter(graph: string, place: string): ContextTarget {
  return { graph, url: urlAt(place, graph) };
}

function urlAt(place: string, graph: string): string {
  return `${place}?graph=${encodeURIComponent(graph)}`;
}
