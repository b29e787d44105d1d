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

/** What the suites are run against. */
export interface Endpoint {
  /** Takes the place of all data. */
  fill(data: TestData): Promise<void>;
  /** On the default graph of the data and all named graphs, unless the text says FROM. */
  query(text: string, accept: string): Promise<Reply>;
  update(text: string): Promise<Reply>;
  /** Triples of each graph that has any, by its name; '' is the default graph. */
  graphs(): Promise<Map<string, Row[]>>;
}

export function asNTriples(quads: readonly Quad[]): string {
  return new Writer({ format: 'N-Triples' }).quadsToString([...quads]);
}

export function namesDataset(text: string): boolean {
  return /\bFROM\b/i.test(text);
}
