import type { SparqlOperation, SparqlSegment } from './sparql-operations.ts';

const REMOVED = '<urn:x-pathpool:removed>';
const ADDED = '<urn:x-pathpool:added>';

/**
 * What Oxigraph is to run in place of a segment. Of an operation with both clauses it would remove and add solution by
 * solution, so that the result depends on their order, while all that is to be removed must go before anything is added
 * (SPARQL 1.1 Update section 3.1.3). So what such an operation asks for is gathered in graphs of their own, which no
 * pattern sees, and done after that.
 */
export function runnableText({ declarations, operations }: SparqlSegment, source: string): string {
  return declarations + operations.map((operation) => textOf(operation, source)).join(' ;\n');
}

function textOf({ tokens }: SparqlOperation, source: string): string {
  const removed = clauseOf(tokens, 'DELETE', 0);
  const added = removed && clauseOf(tokens, 'INSERT', removed.close + 1);
  const startOf = (index: number) => tokens[index]!.start;
  const last = tokens.at(-1)!;
  const end = last.start + last.text.length;
  if (!removed || !added) return source.slice(startOf(0), end);
  const inside = ({ open, close }: Clause) => source.slice(startOf(open) + 1, startOf(close));
  return [
    `INSERT { GRAPH ${REMOVED} {${inside(removed)}\n} GRAPH ${ADDED} {${inside(added)}\n} }\n${source.slice(startOf(added.close) + 1, end)}`,
    `DELETE { ?s ?p ?o } WHERE { GRAPH ${REMOVED} { ?s ?p ?o } }`,
    `INSERT { ?s ?p ?o } WHERE { GRAPH ${ADDED} { ?s ?p ?o } }`,
    `DROP SILENT GRAPH ${REMOVED}`,
    `DROP SILENT GRAPH ${ADDED}`,
  ].join(' ;\n');
}

/** Numbers of the tokens that are the braces. */
interface Clause {
  readonly open: number;
  readonly close: number;
}

/** The clause that begins at a token; undefined where none does. There are no braces in a template. */
function clauseOf(tokens: SparqlOperation['tokens'], keyword: string, at: number): Clause | undefined {
  const open = at + 1;
  if (tokens[at]?.text.toUpperCase() !== keyword || tokens[open]?.text !== '{') return undefined;
  const close = tokens.findIndex(
    ({ kind, text }, index) => index > open && kind === 'symbol' && text === '}',
  );
  return { open, close };
}
