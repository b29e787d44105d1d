import { type LoadRequest, NUMBER } from '../load/request.ts';

/** Kinds of requests, in the order of the report. */
export const kinds = [
  'path',
  'program',
  'batch',
  'resource',
  'context',
  'ldp-read',
  'write',
  'ldp-write',
] as const;

export type Kind = (typeof kinds)[number];

export const writeKinds: ReadonlySet<Kind> = new Set(['write', 'ldp-write']);

/** Start resources of one batch. */
export const BATCH = 100;

const GRAPHS = 64;
const SMALL = '<> <http://purl.org/dc/terms/title> "Written to find out how much this server holds" .';
export const SMALL_SOURCE = { headers: { 'Content-Type': 'text/turtle' }, body: SMALL };

/** What requests are made from. */
export interface Material {
  readonly path: string;
  readonly program: string;
  readonly starts: readonly string[];
  /** Graph that is read whole; undefined when there is none with triples. */
  readonly graph: string | undefined;
  /**
   * Paths of an LDP resource to read, and of a container to create in; undefined if there is none.
   */
  readonly ldpSource: string | undefined;
  readonly ldpContainer: string | undefined;
}

/** The requests of a kind; or the reason why there are none. */
export function requestsOf(kind: Kind, material: Material): readonly LoadRequest[] | string {
  const { path, program, starts, graph, ldpSource, ldpContainer } = material;
  const uri = (start: string) => `uri=${encodeURIComponent(start)}`;
  const ok = { status: 200 };
  switch (kind) {
    case 'path': {
      const query = `path=${encodeURIComponent(path)}`;
      return starts.map((start) => get(`/ldpath/path?${query}&${uri(start)}`));
    }
    case 'program':
      return starts.map((start) => post(`/ldpath/program?${uri(start)}`, {}, program, ok));
    case 'batch':
      return batches(program, starts);
    case 'resource':
      return starts.map((start) => ({ ...get(`/resource?${uri(start)}`), expect: { status: [302, 303] } }));
    case 'context':
      if (graph === undefined) return 'there is no graph with triples';
      return [get(`/context?graph=${encodeURIComponent(graph)}`, { Accept: 'application/n-triples' })];
    case 'ldp-read':
      if (ldpSource === undefined) return 'the server has no LDP resource to read';
      return [get(ldpSource, { Accept: 'text/turtle' })];
    case 'write':
      return Array.from({ length: GRAPHS }, (_, i) => {
        const target = `/context?graph=urn:x:pathpool-capacity:${i}`;
        const triple = `<urn:x:pathpool-capacity:${NUMBER}> <urn:x:written> "${i}" .`;
        return post(target, { 'Content-Type': 'application/n-triples' }, triple, { status: [200, 201] });
      });
    case 'ldp-write':
      if (ldpContainer === undefined) return 'the server has no LDP container to create in';
      return [post(ldpContainer, { ...SMALL_SOURCE.headers, Slug: `n${NUMBER}` }, SMALL, { status: 201 })];
  }
}

/** Each of another part of the start resources, or of all when they are few. */
function batches(program: string, starts: readonly string[]): readonly LoadRequest[] {
  const count = Math.max(1, Math.floor(starts.length / BATCH));
  return Array.from({ length: count }, (_, i) => {
    const uris = starts.slice(i * BATCH, (i + 1) * BATCH);
    return post('/ldpath/batch', {}, JSON.stringify({ program, uris }), {
      status: 200,
      contains: '{"done":true',
    });
  });
}

function get(path: string, headers: Readonly<Record<string, string>> = {}): LoadRequest {
  return { method: 'GET', path, headers, expect: { status: 200 } };
}

function post(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  expect: LoadRequest['expect'],
): LoadRequest {
  return { method: 'POST', path, headers, body, expect };
}
