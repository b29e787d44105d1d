/**
 * Quads with terms that Oxigraph rejects: IRIs such as `http://h/100%`, and language tags such as
 * `en-x`. The data may contain them, and Oxigraph's loader has an option to accept them; but it
 * gives blank nodes new labels, and `Store.add`, `has` and `delete` reject such terms. So the terms
 * are loaded into a graph of their own, and SPARQL builds the quad from them; its `BNODE("label")`
 * keeps the label.
 */
import { isTripleTerm, partsOfTriple } from '../model/triple-term.ts';

type Store = import('oxigraph').Store;

const SCRATCH = 'urn:x-pathpool:scratch';

/** `texts` are terms in canonical form; without a fourth one, the quad is in the default graph. */
export function addLenientQuad(store: Store, texts: readonly string[]): void {
  withTerms(store, texts, (pattern) => store.update(`INSERT ${quadOf(texts)} WHERE ${pattern}`));
}

export function hasLenientQuad(store: Store, texts: readonly string[]): boolean {
  return withTerms(store, texts, (pattern) => store.query(`ASK { ${pattern} ${quadOf(texts)} }`) === true);
}

export function deleteLenientQuad(store: Store, texts: readonly string[]): void {
  withTerms(store, texts, (pattern) => store.update(`DELETE ${quadOf(texts)} WHERE ${pattern}`));
}

function quadOf(texts: readonly string[]): string {
  return texts.length === 4 ? '{ GRAPH ?t3 { ?t0 ?t1 ?t2 } }' : '{ ?t0 ?t1 ?t2 }';
}

/** `use` receives a pattern that binds `?t0` and so on to the terms. */
function withTerms<T>(store: Store, texts: readonly string[], use: (pattern: string) => T): T {
  const lines: string[] = [];
  const bound = (text: string, name: string): string => {
    if (text.startsWith('_:')) return `BIND(BNODE("${text.slice(2)}") AS ?${name})`;
    if (isTripleTerm(text)) {
      const parts = partsOfTriple(text).map((part, at) => bound(part, `${name}_${at}`));
      return `${parts.join(' ')} BIND(TRIPLE(?${name}_0, ?${name}_1, ?${name}_2) AS ?${name})`;
    }
    lines.push(`<${SCRATCH}> <${SCRATCH}:${name}> ${text} <${SCRATCH}> .\n`);
    return `GRAPH <${SCRATCH}> { <${SCRATCH}> <${SCRATCH}:${name}> ?${name} }`;
  };
  const parts = texts.map((text, at) => bound(text, `t${at}`));
  store.load(lines.join(''), { format: 'application/n-quads', lenient: true });
  try {
    return use(`{ ${parts.join(' ')} }`);
  } finally {
    store.update(`DROP SILENT GRAPH <${SCRATCH}>`);
  }
}
