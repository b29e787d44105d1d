import { readFile } from 'node:fs/promises';
import type { Row } from '../sparql/answers/rows.ts';
import { readExpanded } from './expanded-json.ts';
import type { Document } from './format-test.ts';
import { readLines } from './lines.ts';

/** The fields of a problem document. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** A real server, which documents are sent to and read from over HTTP. */
export class TestedServer {
  readonly #url: string;
  readonly #defaultGraph: string;

  constructor(url: string, base: string) {
    this.#url = url;
    this.#defaultGraph = `${base}/context/default`;
  }

  /** Puts all triples of a document into one graph, whose name is the base of relative IRIs. */
  putGraph(name: string, document: Document, mediaType: string): Promise<Refusal | undefined> {
    return this.#put(this.#graphPath(name), document, { 'Content-Type': mediaType });
  }

  /** Replaces all data; quads without a graph go to the default context. */
  putDataset(document: Document, mediaType: string): Promise<Refusal | undefined> {
    return this.#put('/dataset', document, { 'Content-Type': mediaType, 'If-Match': '*' });
  }

  async graph(name: string): Promise<Row[]> {
    return readLines(await this.#get(this.#graphPath(name), 'application/n-triples'));
  }

  async dataset(): Promise<Row[]> {
    const rows = readLines(await this.#get('/dataset', 'application/n-quads'));
    return rows.map((row) => (row[3] === `<${this.#defaultGraph}>` ? row.slice(0, 3) : row));
  }

  async datasetAsJsonLd(): Promise<Row[]> {
    return readExpanded(JSON.parse(await this.#get('/dataset', 'application/ld+json')), this.#defaultGraph);
  }

  async hasGraph(name: string): Promise<boolean> {
    return (await fetch(this.#url + this.#graphPath(name), { method: 'HEAD' })).ok;
  }

  #graphPath(name: string): string {
    return `/context?graph=${encodeURIComponent(name)}`;
  }

  async #put(
    path: string,
    { file }: Document,
    headers: Record<string, string>,
  ): Promise<Refusal | undefined> {
    const body = await readFile(file);
    const response = await fetch(this.#url + path, { method: 'PUT', headers, body });
    const text = await response.text();
    if (response.ok) return undefined;
    return { ...(JSON.parse(text) as Refusal), status: response.status };
  }

  async #get(path: string, mediaType: string): Promise<string> {
    const response = await fetch(this.#url + path, { headers: { Accept: mediaType } });
    const text = await response.text();
    if (!response.ok) throw new Error(`GET ${path} was answered ${response.status}: ${text}`);
    return text;
  }
}
