import { AppError, type ErrorData, type Result, toErrorData } from '../../errors.ts';
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
  if (wantsDefault) return fail(toErrorData(new AppError('bad-query', bothGiven)));
  return isAbsoluteIri(graph) ? { ok: true, value: byParameter(graph, base) } : fail(badIri('graph', graph));
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
  return fail(badIri('The path', graph));
}

/** The address of a graph by parameter; the same for all ways of naming it. */
export function canonicalUrl(graph: string, base: string): string {
  return `${base}/context?graph=${encodeURIComponent(graph)}`;
}

function byParameter(graph: string, base: string): ContextTarget {
  return { graph, url: canonicalUrl(graph, base) };
}

function fail(error: ErrorData): { ok: false; error: ErrorData } {
  return { ok: false, error };
}
