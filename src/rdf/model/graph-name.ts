/**
 * Graphs are identified by names: IRIs without angle brackets. Earlier releases also stored quads
 * in graphs named by a blank node; such a graph has the blank node's term as its name, which cannot
 * be an IRI.
 */
export function graphNameOf(term: string): string {
  return isBlank(term) ? term : term.slice(1, -1);
}

/** The inverse of `graphNameOf`. */
export function graphTermOf(name: string): string {
  return isBlank(name) ? name : `<${name}>`;
}

function isBlank(text: string): boolean {
  return text.startsWith('_:');
}
