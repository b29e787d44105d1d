import { client } from '../../app/client.ts';
import { serverUrl } from '../../app/location.ts';
import { requestServer } from '../../app/request.ts';

/** Where files go. */
export interface Target {
  /** The name of a graph; undefined for the graphs that the files name. */
  readonly graph: string | undefined;
  readonly replaces: boolean;
  /**
   * With `replaces`: the entity tag of what is replaced, as the user has been told, or undefined if
   * there is nothing yet.
   */
  readonly tag: string | undefined;
  /** Triples in the graph, as the user has been told; undefined if that is not known. */
  readonly size: number | undefined;
}

/** More names would make a list for completion that nobody reads. */
const MAX_GRAPHS = 5000;

export interface KnownGraphs {
  /** The number of triples of each graph, by its name. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Whether there are no others. */
  readonly isComplete: boolean;
}

export async function readGraphs(): Promise<KnownGraphs> {
  const list = await client.graphs.list({ limit: MAX_GRAPHS });
  return {
    sizes: new Map(list.map(({ uri, size }) => [uri, size])),
    isComplete: list.length < MAX_GRAPHS,
  };
}

/** Returns the path of the target, relative to the URL of the server. */
function pathOf(graph: string | undefined): string {
  return graph === undefined ? 'dataset' : `context?graph=${encodeURIComponent(graph)}`;
}

/** `mark`: a parameter that the server ignores, and by which its task is found. */
export function urlOf({ graph }: Target, mark: string): string {
  const url = new URL(graph === undefined ? `dataset?${mark}` : 'context', serverUrl);
  // First, since the server shows the beginning of long addresses.
  if (graph !== undefined) url.search = `${mark}&graph=${encodeURIComponent(graph)}`;
  return url.href;
}

/** Headers by which a replacement fails if the target is not what the user has been told. */
export function conditionsOf({ graph, replaces, tag }: Target): Record<string, string> {
  if (!replaces) return {};
  if (tag !== undefined) return { 'If-Match': tag };
  return graph === undefined ? { 'If-Match': '*' } : { 'If-None-Match': '*' };
}

/** Returns the entity tag of a graph that exists, or of all data. */
export async function tagOf(graph: string | undefined): Promise<string | undefined> {
  const response = await requestServer(pathOf(graph), { method: 'HEAD' });
  return response.headers.get('ETag') ?? undefined;
}
