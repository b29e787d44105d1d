import { type ErrorData, errorData } from '../errors.ts';
import { type IriPatterns, matchesAll, matchesPatterns } from '../rdf/model/resources/iri-patterns.ts';

/**
 * What a client may do, by the names of graphs. The same patterns decide about LDP resources, about
 * content, and about resources that exist without triples, by their IRIs (http-api 1.19).
 */
export interface GraphAccess {
  /** What it may read; includes what it may write. */
  readonly read: IriPatterns;
  readonly write: IriPatterns;
}

/** The part of a request that says what its client may do; undefined: everything. */
export interface Restricted {
  readonly access: GraphAccess | undefined;
}

/** Returns which graphs the client sees; undefined if it sees all. */
export function visiblePatterns(client: Restricted | undefined): IriPatterns | undefined {
  const read = client?.access?.read;
  return read === undefined || matchesAll(read) ? undefined : read;
}

export function maySee(client: Restricted | undefined, iri: string): boolean {
  const visible = visiblePatterns(client);
  return visible === undefined || matchesPatterns(visible, iri);
}

export function mayWrite(client: Restricted | undefined, iri: string): boolean {
  const access = client?.access;
  return access === undefined || matchesPatterns(access.write, iri);
}

/** Whether the client sees all graphs, so that it may see what describes the whole of the data. */
export function seesEverything(client: Restricted | undefined): boolean {
  return visiblePatterns(client) === undefined;
}

/** Whether the client may write all graphs, and so also what belongs to no graph. */
export function writesEverything(client: Restricted | undefined): boolean {
  const access = client?.access;
  return access === undefined || matchesAll(access.write);
}

/**
 * Returns why the client must not write what has this name: `hidden` if it does not even see it, so
 * that nothing tells whether it exists.
 */
export function writeDenial(
  client: Restricted | undefined,
  iri: string,
  hidden: ErrorData,
): ErrorData | undefined {
  if (mayWrite(client, iri)) return undefined;
  if (!maySee(client, iri)) return hidden;
  return errorData('forbidden', `These credentials do not allow writing <${iri}>.`, { uri: iri });
}
