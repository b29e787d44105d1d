import { XSD } from '../model/term.ts';
import { innerTerms, isTripleTerm, withInnerTerms } from '../model/triple-term.ts';
import { release } from './terms.ts';

type Oxigraph = typeof import('oxigraph');

const typed = `"^^<${XSD}`;

/**
 * Whether Oxigraph may write a term differently from the original: it stores the values of numbers,
 * dates and the like.
 */
export function hasSpelling(term: string): boolean {
  return (term.startsWith('"') || isTripleTerm(term)) && term.includes(typed);
}

/**
 * Returns how Oxigraph writes literals, and triple terms with literals, by their original form. All
 * are in canonical N-Triples form.
 */
export function oxigraphSpellings(oxigraph: Oxigraph, terms: Iterable<string>): Map<string, string> {
  const asked = [...new Set(terms)];
  // Loading a triple term would change its blank nodes.
  const spellings = literalSpellings(oxigraph, asked.flatMap(literalsOf));
  const spell = (literal: string) => spellings.get(literal) ?? literal;
  return new Map(asked.map((term) => [term, isTripleTerm(term) ? withInnerTerms(term, spell) : spell(term)]));
}

function literalsOf(term: string): string[] {
  return isTripleTerm(term) ? innerTerms(term).filter(hasSpelling) : [term];
}

function literalSpellings(oxigraph: Oxigraph, literals: readonly string[]): Map<string, string> {
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

/** Returns the triples of a store as lines of N-Triples, without their line ends. */
export function linesOf(oxigraph: Oxigraph, store: import('oxigraph').Store): string[] {
  const text = store.dump({
    format: 'application/n-triples',
    from_graph_name: oxigraph.defaultGraph(),
  });
  return text === '' ? [] : text.slice(0, -1).split('\n');
}
