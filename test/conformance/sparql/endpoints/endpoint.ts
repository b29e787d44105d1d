import { type Quad, Writer } from 'n3';
import type { Row } from '../answers/rows.ts';

export interface TestData {
  readonly defaultGraph: readonly Quad[];
  readonly namedGraphs: ReadonlyMap<string, readonly Quad[]>;
}

export interface Reply {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

/** An endpoint that the suites run against. */
export interface Endpoint {
  /** Replaces all data. */
  fill(data: TestData): Promise<void>;
  /** Uses the default graph of the data and all named graphs, unless the text contains FROM. */
  query(text: string, accept: string): Promise<Reply>;
  update(text: string): Promise<Reply>;
  /** Returns the triples of each graph with triples, by its name; '' is the default graph. */
  graphs(): Promise<Map<string, Row[]>>;
}

export function asNTriples(quads: readonly Quad[]): string {
  return new Writer({ format: 'N-Triples' }).quadsToString([...quads]);
}

export function namesDataset(text: string): boolean {
  return /\bFROM\b/i.test(text);
}
