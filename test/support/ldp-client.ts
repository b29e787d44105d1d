import { BASE } from './server-process.ts';

export const LDP = 'http://www.w3.org/ns/ldp#';
export const DCTERMS = 'http://purl.org/dc/terms/';
export const ROOT = `${BASE}/ldp`;
export const PREFIXES = `@prefix ldp: <${LDP}> . @prefix dcterms: <${DCTERMS}> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .\n`;

export type Headers = Readonly<Record<string, string>>;

export const turtle: Headers = { 'Content-Type': 'text/turtle' };

/** The header that asks for an interaction model. */
export function model(...names: string[]): Headers {
  return { Link: names.map((name) => `<${LDP}${name}>; rel="type"`).join(', ') };
}

/**
 * A client of a server that was started with `BASE`. Targets are URIs, or paths below `/ldp`. The
 * client may be made before the server has started.
 */
export function ldpClient(server: { readonly url: string }) {
  const send =
    (method: string) =>
    (target: string, headers: Headers = {}, body?: string | Uint8Array): Promise<Response> =>
      fetch(target.startsWith(BASE) ? target.replace(BASE, server.url) : `${server.url}/ldp${target}`, {
        method,
        redirect: 'manual',
        headers,
        // `fetch` would add a content type to a string.
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
  const [get, head, options] = [send('GET'), send('HEAD'), send('OPTIONS')];
  const [post, put, patch, remove] = [send('POST'), send('PUT'), send('PATCH'), send('DELETE')];

  /** The URI of what a POST made, which must have been successful. */
  const create = async (container: string, headers: Headers = {}, body?: string | Uint8Array) => {
    const response = await post(container, headers, body);
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
    return response.headers.get('location') ?? '';
  };
  /** Makes an RDF source of Turtle, or with `models` a container. */
  const createTurtle = (container: string, slug: string, body: string, ...models: string[]) =>
    create(container, { ...turtle, Slug: slug, ...(models.length > 0 && model(...models)) }, PREFIXES + body);
  /** The lines of a representation as N-Triples, sorted. */
  const triples = async (target: string, headers: Headers = {}): Promise<string[]> => {
    const response = await get(target, { Accept: 'application/n-triples', ...headers });
    return (await response.text()).split('\n').filter(Boolean).sort();
  };
  const tagOf = async (target: string, accept = 'text/turtle'): Promise<string> =>
    (await head(target, { Accept: accept })).headers.get('etag') ?? '';
  return { get, head, options, post, put, patch, remove, create, createTurtle, triples, tagOf };
}

export type LdpClient = ReturnType<typeof ldpClient>;

/** The links of a response: `relation target`, with the anchor where there is one. */
export function linksOf(response: Response): string[] {
  const header = response.headers.get('link') ?? '';
  return Array.from(header.matchAll(/<([^>]*)>; rel="([^"]*)"(?:; anchor="([^"]*)")?/g), (match) =>
    [match[2], match[1], match[3]].filter(Boolean).join(' '),
  );
}

/** The LDP kinds that the links of type `type` name, without their namespace. */
export function typesOf(response: Response): string[] {
  return linksOf(response)
    .filter((link) => link.startsWith(`type ${LDP}`))
    .map((link) => link.slice(`type ${LDP}`.length));
}

/** The `code` of a problem, after its status. */
export async function problemOf(response: Response): Promise<string> {
  const { code } = (await response.json()) as { code: string };
  return `${response.status} ${code}`;
}
