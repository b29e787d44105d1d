import { XSD } from '../graph/term.ts';
import { release } from './oxigraph-terms.ts';

type Oxigraph = typeof import('oxigraph');

const typed = `"^^<${XSD}`;

/**
 * Whether Oxigraph may write a term in another way than it was written: it keeps values of numbers,
 * dates and the like.
 */
export function hasSpelling(term: string): boolean {
  return term.startsWith('"') && term.includes(typed);
}

/** How Oxigraph writes literals, all in canonical N-Triples form: by how they were written. */
export function oxigraphSpellings(oxigraph: Oxigraph, literals: Iterable<string>): Map<string, string> {
  const written = [...new Set(literals)];
  const spellings = new Map<string, string>();
  if (written.length === 0) return spellings;
  const store = new oxigraph.Store();
  try {
    store.load(written.map((literal, index) => `<urn:x:${index}> <urn:x:is> ${literal} .\n`).join(''), {
      format: 'application/n-triples',
      lenient: true,
    });
    for (const line of linesOf(oxigraph, store)) {
      const [, index, spelling] = /^<urn:x:(\d+)> <urn:x:is> (.*) \.$/s.exec(line)!;
      spellings.set(written[Number(index)]!, spelling!);
    }
    return spellings;
  } finally {
    release(store);
  }
}

/** The triples of a store as lines of N-Triples, without their ends. */
export function linesOf(oxigraph: Oxigraph, store: import('oxigraph').Store): string[] {
  const text = store.dump({
    format: 'application/n-triples',
    from_graph_name: oxigraph.defaultGraph(),
  });
  return text === '' ? [] : text.slice(0, -1).split('\n');
}
