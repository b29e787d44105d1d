import { readFile } from 'node:fs/promises';
import { type Row, sameRows } from '../sparql/answers/rows.ts';
import { failed, type Outcome, passed } from '../sparql/outcome.ts';
import { readExpanded } from './expanded-json.ts';
import type { Document, FormatTest } from './format-test.ts';
import { graphOf, readLines, triplesOf } from './lines.ts';
import type { Refusal, TestedServer } from './tested-server.ts';

type Run = (server: TestedServer, test: FormatTest) => Promise<Outcome>;

const runs: Readonly<Record<FormatTest['kind'], Run>> = {
  read: runReadTest,
  write: runWriteTest,
  'positive syntax': runPositiveTest,
  'negative syntax': runNegativeTest,
};

export async function runTest(server: TestedServer, test: FormatTest): Promise<Outcome> {
  return runs[test.kind](server, test).catch((error: Error) => failed(test.name, error.message));
}

/**
 * Compares the quads that a document becomes. The names of graphs count if no IRI depends on the
 * base and no name is a blank node; otherwise `/context`, where the base can be chosen, puts all
 * triples into one graph.
 */
async function runReadTest(server: TestedServer, test: FormatTest): Promise<Outcome> {
  const expected = readLines(await textOf(test.expected));
  if (namesGraphs(expected) && !mentions(expected, test.base)) {
    const refusal = await server.putDataset(test.input, test.mediaType);
    return refusal ? unexpected(test, refusal) : compared(test, expected, await server.dataset());
  }
  const refusal = await server.putGraph(test.base, test.input, test.mediaType);
  if (refusal) return unexpected(test, refusal);
  return compared(test, triplesOf(expected), await server.graph(test.base));
}

function namesGraphs(rows: readonly Row[]): boolean {
  const graphs = rows.map(graphOf);
  return graphs.some((graph) => graph !== undefined) && graphs.every((graph) => !graph?.startsWith('_:'));
}

/** Whether an IRI may have been resolved against the folder of a document. */
function mentions(rows: readonly Row[], base: string): boolean {
  const folder = base.slice(0, base.lastIndexOf('/'));
  return rows.some((row) => row.some((cell) => cell.includes(folder)));
}

/** Compares the document that quads become. */
async function runWriteTest(server: TestedServer, test: FormatTest): Promise<Outcome> {
  const refusal = await server.putDataset(test.input, test.mediaType);
  if (refusal) return unexpected(test, refusal);
  const expected = readExpanded(JSON.parse(await textOf(test.expected)), '');
  return compared(test, expected, await server.datasetAsJsonLd());
}

async function runPositiveTest(server: TestedServer, test: FormatTest): Promise<Outcome> {
  const refusal = await server.putGraph(test.base, test.input, test.mediaType);
  return refusal ? unexpected(test, refusal) : passed(test.name);
}

/** Requires that the document is rejected with a position, and that nothing is stored. */
async function runNegativeTest(server: TestedServer, test: FormatTest): Promise<Outcome> {
  const graph = `${test.base}#${test.name}`;
  const refusal = await server.putGraph(graph, test.input, test.mediaType);
  if (!refusal) return failed(test.name, 'is accepted');
  if (refusal.status !== 400) return unexpected(test, refusal);
  if (!(Number(refusal.line) > 0 && Number(refusal.column) > 0)) {
    return failed(test.name, `is refused without a position: ${refusal.detail}`);
  }
  return (await server.hasGraph(graph)) ? failed(test.name, 'is refused, and stored') : passed(test.name);
}

function unexpected({ name }: FormatTest, { status, detail }: Refusal): Outcome {
  return failed(name, `${status}: ${detail}`);
}

function compared({ name }: FormatTest, expected: readonly Row[], actual: readonly Row[]): Outcome {
  if (sameRows(expected, actual)) return passed(name);
  const [wanted, found] = [texts(expected), texts(actual)];
  const missing = wanted.filter((line) => !found.includes(line));
  const extra = found.filter((line) => !wanted.includes(line));
  return failed(
    name,
    `expected ${missing.join(' ') || 'no more'}; came ${extra.join(' ') || 'nothing else'}`,
  );
}

function texts(rows: readonly Row[]): string[] {
  return rows.map((row) => `(${row.join(' ')})`);
}

async function textOf(document: Document | undefined): Promise<string> {
  if (!document) throw new Error('The manifest names no result.');
  return readFile(document.file, 'utf8');
}
