import { client } from '../../app/client.ts';
import { requestServer } from '../../app/request.ts';
import { sizeOfSet } from '../../resources/set-size.ts';

export type Kind = 'container' | 'rdf' | 'binary';

/** What the head of an LDP resource says. */
export interface Head {
  readonly kind: Kind;
  /** Entity tag. */
  readonly tag: string;
  /** Of a binary, without parameters. */
  readonly type: string;
  /** Of a binary, in bytes. */
  readonly size: number | undefined;
  /** Methods. */
  readonly allowed: readonly string[];
}

/** A member of a container. */
export interface Child {
  /** Below the base of the server, such as `/ldp/a`. */
  readonly path: string;
  readonly kind: Kind;
}

interface Children {
  readonly children: readonly Child[];
  /** For the next page; undefined after the last one. */
  readonly cursor: string | undefined;
}

/** A new resource. */
export interface Creation {
  readonly kind: 'container' | 'rdf';
  /** The proposed name; empty for one that the server chooses. */
  readonly slug: string;
}

export const ROOT = '/ldp';
const LDP = 'http://www.w3.org/ns/ldp#';
const DCT = 'http://purl.org/dc/terms/';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const PAGE = 200;

/** Returns the base of all URIs, by which a browser may not know the server, without a slash. */
export async function readBase(signal: AbortSignal): Promise<string> {
  const { headers } = await requestServer('ldp', { method: 'HEAD', signal });
  const base = /<([^>]*)\/constraints\/ldp>/.exec(headers.get('Link') ?? '')?.[1];
  if (base === undefined) throw new Error('The response has no link to the constraints of LDP.');
  return base;
}

export async function readHead(path: string, signal?: AbortSignal): Promise<Head> {
  const { headers } = await send(path, { method: 'HEAD', ...(signal && { signal }) });
  const links = headers.get('Link') ?? '';
  const length = headers.get('Content-Length');
  return {
    kind: kindOf((name) => links.includes(`<${LDP}${name}>`)),
    tag: headers.get('ETag') ?? '*',
    type: (headers.get('Content-Type') ?? '').split(';')[0]!,
    size: length === null ? undefined : Number(length),
    allowed: (headers.get('Allow') ?? '').split(/, */),
  };
}

/** Returns a page of the members of a container, in the order in which they were created. */
export async function readChildren(
  container: { readonly base: string; readonly path: string },
  cursor: string | undefined,
): Promise<Children> {
  const { base, path } = container;
  const starts = { path: `<${LDP}contains>`, from: base + path };
  const options = { starts, limit: PAGE, ordered: true, ...(cursor !== undefined && { cursor }) };
  const lines = client.ldpath.batchOfPath(`<${RDF_TYPE}>`, options);
  const children: Child[] = [];
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return { children, cursor: value.cursor };
    const types = new Set(value.result?.map((type) => type.value));
    const kind = kindOf((name) => types.has(LDP + name));
    children.push({ path: value.uri.slice(base.length), kind });
  }
}

function kindOf(is: (name: string) => boolean): Kind {
  if (is('Container')) return 'container';
  return is('NonRDFSource') ? 'binary' : 'rdf';
}

/** The state of an RDF source. */
export interface Source {
  /** In Turtle, without what the server manages. */
  readonly text: string;
  readonly tag: string;
}

/** Reads what clients have written in an RDF source: the server keeps it in a graph of its own. */
export async function readSource(uri: string, path: string, signal?: AbortSignal): Promise<Source> {
  const response = await send(path, {
    headers: {
      Accept: 'application/n-triples',
      Prefer: `return=representation; omit="${LDP}PreferContainment ${LDP}PreferMembership"`,
    },
    ...(signal && { signal }),
  });
  // Read before the text, so that a text that is newer than the tag is not stored over others.
  const tag = response.headers.get('ETag') ?? '*';
  const triples = (await response.text()).split('\n').filter((line) => line !== '');
  const others = triples.filter((triple) => !isManaged(triple, uri));
  if (others.length === 0) return { text: '', tag };
  // The server itself has more to say of some containers. Blank nodes are members of no set.
  const isEmpty = !others.some((triple) => triple.startsWith('_:')) && (await isEmptyGraph(uri, signal));
  return { text: isEmpty ? '' : await (await client.graphs.get(uri, { signal })).text(), tag };
}

async function isEmptyGraph(graph: string, signal: AbortSignal | undefined): Promise<boolean> {
  return (await sizeOfSet({ graph }, signal)) === 0;
}

/** Whether the server itself has made a triple, in N-Triples. */
function isManaged(triple: string, uri: string): boolean {
  const managed = [`<${DCT}created> `, `<${DCT}modified> `, `<${RDF_TYPE}> <${LDP}`];
  return managed.some((beginning) => triple.startsWith(`<${uri}> ${beginning}`));
}

export async function putTurtle(path: string, text: string, tag: string): Promise<void> {
  await send(path, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/turtle', 'If-Match': tag },
    body: text,
  });
}

export async function remove(path: string, tag: string): Promise<void> {
  await send(path, { method: 'DELETE', headers: { 'If-Match': tag } });
}

/** Creates an empty resource. Returns its path. */
export async function create(container: string, { kind, slug }: Creation, base: string): Promise<string> {
  const model = kind === 'container' ? 'BasicContainer' : 'RDFSource';
  const { headers } = await send(container, {
    method: 'POST',
    headers: { Link: `<${LDP}${model}>; rel="type"`, ...(slug !== '' && { Slug: encodeURIComponent(slug) }) },
  });
  return (headers.get('Location') ?? '').slice(base.length);
}

export function readBytes(path: string, init: RequestInit = {}): Promise<Response> {
  return send(path, init);
}

/** `path`: as of `Child`. */
function send(path: string, init: RequestInit): Promise<Response> {
  return requestServer(path.slice(1), { cache: 'no-store', ...init });
}

export function nameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
