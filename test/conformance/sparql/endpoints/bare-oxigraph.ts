import { Parser, type Quad } from 'n3';
import { defaultGraph, namedNode, Store } from 'oxigraph';
import { triples } from '../answers/answer.ts';
import type { Row } from '../answers/rows.ts';
import { asNTriples, type Endpoint, type Reply, type TestData } from './endpoint.ts';

/** What Oxigraph reports for a text that it has parsed. */
const notOfSyntax = /not supported|HTTP client is not available|The graph .* does not exist/;

/** Plain Oxigraph in this process, whose results are compared with those of the server. */
export class BareOxigraph implements Endpoint {
  #store = new Store();

  async fill({ defaultGraph: triplesOfDefault, namedGraphs }: TestData): Promise<void> {
    this.#store = new Store();
    this.#load(triplesOfDefault, defaultGraph());
    for (const [name, quads] of namedGraphs) this.#load(quads, namedNode(name));
  }

  query(text: string, accept: string): Promise<Reply> {
    return replyOf(accept, () => String(this.#store.query(text, { results_format: accept })));
  }

  update(text: string): Promise<Reply> {
    return replyOf('', () => {
      this.#store.update(text);
      return '';
    });
  }

  async graphs(): Promise<Map<string, Row[]>> {
    const quads = new Parser().parse(this.#store.dump({ format: 'application/n-quads' }));
    const names = new Set(quads.map(({ graph }) => graph.value));
    return new Map(
      [...names].map((name) => [name, triples(quads.filter(({ graph }) => graph.value === name))]),
    );
  }

  #load(quads: readonly Quad[], graph: ReturnType<typeof defaultGraph | typeof namedNode>): void {
    this.#store.load(asNTriples(quads), {
      format: 'application/n-triples',
      to_graph_name: graph,
      lenient: true,
    });
  }
}

async function replyOf(mediaType: string, answer: () => string): Promise<Reply> {
  try {
    return { status: 200, mediaType, body: answer() };
  } catch (error) {
    const detail = String(error);
    const code = notOfSyntax.test(detail) ? 'unsupported-sparql' : 'parse-error';
    const status = code === 'parse-error' ? 400 : 422;
    return { status, mediaType: 'application/problem+json', body: JSON.stringify({ code, detail }) };
  }
}
