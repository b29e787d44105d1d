import type { Quad } from 'n3';
import { triples } from '../answers/answer.ts';
import type { Row } from '../answers/rows.ts';
import { readQuads } from '../manifests/files.ts';
import { asNTriples, type Endpoint, namesDataset, type Reply, type TestData } from './endpoint.ts';

const PROBLEM = 'application/problem+json';
/** Graphs of the server itself, which no update changes. */
const OWN_GRAPHS = /\/ldp$/;

/**
 * A real server over HTTP; its default graph is `{base}/context/default`. Data go in and out by
 * `/context`, which has its own way to the store.
 */
export class ServerEndpoint implements Endpoint {
  /** Without a trailing slash; the server has the same base. */
  readonly url: string;
  readonly #defaultGraph: string;
  #named: readonly string[] = [];

  constructor(url: string) {
    this.url = url;
    this.#defaultGraph = `${url}/context/default`;
  }

  async fill({ defaultGraph, namedGraphs }: TestData): Promise<void> {
    for (const name of await this.#names()) await this.#graph('DELETE', name);
    if (defaultGraph.length > 0) await this.#put(this.#defaultGraph, defaultGraph);
    for (const [name, quads] of namedGraphs) await this.#put(name, quads);
    this.#named = [...namedGraphs.keys()];
  }

  query(text: string, accept: string): Promise<Reply> {
    const target = `${this.url}/sparql${namesDataset(text) ? '' : `?${this.#dataset()}`}`;
    return replyOf(
      fetch(target, {
        method: 'POST',
        headers: { 'Content-Type': 'application/sparql-query', Accept: `${accept}, ${PROBLEM};q=0.1` },
        body: text,
      }),
    );
  }

  update(text: string): Promise<Reply> {
    const headers = { 'Content-Type': 'application/sparql-update', Accept: PROBLEM };
    return replyOf(fetch(`${this.url}/sparql`, { method: 'POST', headers, body: text }));
  }

  async graphs(): Promise<Map<string, Row[]>> {
    const graphs = new Map<string, Row[]>();
    for (const name of await this.#names()) {
      const { body } = await replyOf(this.#graph('GET', name));
      const rows = triples(readQuads(body, '.nt', name));
      if (rows.length > 0) graphs.set(name === this.#defaultGraph ? '' : name, rows);
    }
    return graphs;
  }

  /** The default graph does not count as a named graph of a test. */
  #dataset(): string {
    const parameters = new URLSearchParams({ 'default-graph-uri': this.#defaultGraph });
    for (const name of this.#named) parameters.append('named-graph-uri', name);
    return parameters.toString();
  }

  async #names(): Promise<string[]> {
    const listed = (await (await fetch(`${this.url}/context/list`)).json()) as string[];
    return listed.filter((name) => !OWN_GRAPHS.test(name));
  }

  async #put(name: string, quads: readonly Quad[]): Promise<void> {
    const response = await this.#graph('PUT', name, asNTriples(quads));
    if (!response.ok) throw new Error(`PUT of <${name}> was answered ${response.status}`);
  }

  #graph(method: string, name: string, body: string | null = null): Promise<Response> {
    return fetch(`${this.url}/context?graph=${encodeURIComponent(name)}`, {
      method,
      headers: { 'Content-Type': 'application/n-triples', Accept: 'application/n-triples' },
      body,
    });
  }
}

async function replyOf(answer: Promise<Response>): Promise<Reply> {
  const response = await answer;
  const mediaType = response.headers.get('content-type') ?? '';
  return { status: response.status, mediaType, body: await response.text() };
}
