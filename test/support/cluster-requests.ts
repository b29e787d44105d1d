/** The header that names a commit, in responses to writes and in requests that wait for it. */
export const COMMIT = 'pathpool-commit';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The commit that the response names; empty if it names none. */
  readonly commit: string;
}

export async function send(url: string, init: RequestInit = {}): Promise<Reply> {
  const response = await fetch(url, init);
  const { status, headers } = response;
  return { status, headers, text: await response.text(), commit: headers.get(COMMIT) ?? '' };
}

export function graphUrl({ url }: { readonly url: string }, graph: string): string {
  return `${url}/context?graph=${encodeURIComponent(graph)}&format=nt`;
}

/** Adds triples to a graph. */
export function addTriples(
  process: { readonly url: string },
  graph: string,
  triples: string,
): Promise<Reply> {
  const headers = { 'Content-Type': 'application/n-triples' };
  return send(graphUrl(process, graph), { method: 'POST', headers, body: triples });
}

/** Reads a graph, at a commit or later. */
export function readGraph(process: { readonly url: string }, graph: string, commit = ''): Promise<Reply> {
  return send(graphUrl(process, graph), commit === '' ? {} : { headers: { [COMMIT]: commit } });
}
