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

/** The server itself, for work that no client has requested. */
export const ownAccess: Restricted = { access: undefined };

/** The same as a member of messages to other threads; absent if a client may do everything. */
export function accessOf({ access }: Restricted): { readonly access?: GraphAccess } {
  return access ? { access } : {};
}

/** Returns which graphs the client sees; undefined if it sees all. */
export function visiblePatterns(client: Restricted): IriPatterns | undefined {
  const read = client.access?.read;
  return read === undefined || matchesAll(read) ? undefined : read;
}

export function maySee(client: Restricted, iri: string): boolean {
  const visible = visiblePatterns(client);
  return visible === undefined || matchesPatterns(visible, iri);
}

export function mayWrite(client: Restricted, iri: string): boolean {
  const access = client.access;
  return access === undefined || matchesPatterns(access.write, iri);
}

/**
 * Whether the client sees everything below an IRI, whatever its name is, so that nothing there can
 * be hidden from it.
 */
export function maySeeAllBelow(client: Restricted, iri: string): boolean {
  const visible = visiblePatterns(client);
  return visible === undefined || visible.prefixes.some((prefix) => `${iri}/`.startsWith(prefix));
}

/** Whether the client sees all graphs, so that it may see what describes the whole of the data. */
export function seesEverything(client: Restricted): boolean {
  return visiblePatterns(client) === undefined;
}

/** Whether the client may write all graphs, and so also what belongs to no graph. */
export function writesEverything(client: Restricted): boolean {
  const access = client.access;
  return access === undefined || matchesAll(access.write);
}

/**
 * Returns why the client must not write what has this name: `hidden` if it does not even see it, so
 * that nothing tells whether it exists.
 */
export function writeDenial(client: Restricted, iri: string, hidden: ErrorData): ErrorData | undefined {
  if (mayWrite(client, iri)) return undefined;
  return maySee(client, iri) ? noWriting(iri) : hidden;
}

/**
 * Returns why the client must not write what the server, or a client together with the server, has
 * just named: there is nothing of that name to be hidden.
 */
export function newNameDenial(client: Restricted, iri: string): ErrorData | undefined {
  return mayWrite(client, iri) ? undefined : noWriting(iri);
}

function noWriting(iri: string): ErrorData {
  return errorData('forbidden', `These credentials do not allow writing <${iri}>.`, { uri: iri });
}
