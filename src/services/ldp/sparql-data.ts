import { RdfError } from '../../rdf/errors.ts';
import { NewBlankNodes } from '../../rdf/new-blank-nodes.ts';
import { parseTurtle } from '../../rdf/parse-turtle.ts';
import { termOfBlock } from '../../store/block-terms.ts';
import type { PatchSteps } from './patch-changes.ts';
import { PatchRows } from './patch-rows.ts';
import type { SparqlOperation, SparqlSegment } from './sparql-operations.ts';

const GRAPH = 'urn:x-pathpool:operation:';

/**
 * The steps of an update that consists of data alone. They are read as TriG, of which they are an extract, with a graph for
 * each operation: so literals stay as they are written, and the target need not be looked at. Null where an operation has a
 * WHERE, or where SPARQL allows what TriG does not.
 */
export function dataSteps(
  segments: readonly SparqlSegment[],
  source: string,
  base: string,
): PatchSteps | null {
  if (segments.some(({ operations }) => operations.some(({ form }) => form === 'where'))) return null;
  const rows = new PatchRows(source.length);
  try {
    for (const segment of segments) pushSteps(segment, source, base, rows);
  } catch (error) {
    if (!(error instanceof RdfError)) throw error;
    if (error.code === 'parse-error') return null;
    // The position is one in the extract, not in the update.
    throw new RdfError(error.code, error.message, { source: 'body' });
  }
  return rows.finish();
}

function pushSteps(
  { declarations, operations }: SparqlSegment,
  source: string,
  base: string,
  rows: PatchRows,
): void {
  const graphs = operations.map(
    (operation, index) => `<${GRAPH}${index}> {\n${dataOf(operation, source)}\n}\n`,
  );
  const document = Buffer.from(declarations + graphs.join(''));
  const block = parseTurtle(document, { mediaType: 'application/trig', baseIri: base });
  const { quads } = block;
  const newNodes = new NewBlankNodes();
  const texts = new Map<number, string>();
  const term = (index: number) => {
    const known = texts.get(index);
    if (known !== undefined) return known;
    const written = termOfBlock(block, index);
    const canonical = written.startsWith('_:') ? newNodes.label(written) : written;
    texts.set(index, canonical);
    return canonical;
  };
  for (let at = 0; at < quads.length; at += 4) {
    const operation = operations[Number(term(quads[at + 3]!).slice(1 + GRAPH.length, -1))]!;
    const added = operation.form === 'insert-data';
    rows.push(added, term(quads[at]!), term(quads[at + 1]!), term(quads[at + 2]!));
  }
}

/** What stands between the braces. */
function dataOf({ tokens }: SparqlOperation, source: string): string {
  const [, , open] = tokens;
  return source.slice(open!.start + 1, tokens.at(-1)!.start);
}
