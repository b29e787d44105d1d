/**
 * Oxigraph's own objects for terms and quads. They are in WebAssembly's memory and must be freed
 * explicitly.
 */
import { type Literal, parseTerm } from '../model/term.ts';
import { partsOfTriple } from '../model/triple-term.ts';
import { addLenientQuad, deleteLenientQuad, hasLenientQuad } from './lenient-quads.ts';

type Oxigraph = typeof import('oxigraph');
type Store = import('oxigraph').Store;

/**
 * Adds a quad of terms in canonical form. Unlike the loader this keeps the labels of blank nodes.
 */
export function addQuad(oxigraph: Oxigraph, store: Store, texts: readonly string[]): void {
  if (!withQuad(oxigraph, texts, (quad) => store.add(quad))) addLenientQuad(store, texts);
}

/** Whether there is a quad of terms in canonical form. */
export function hasQuad(oxigraph: Oxigraph, store: Store, texts: readonly string[]): boolean {
  let found = false;
  const isTaken = withQuad(oxigraph, texts, (quad) => {
    found = store.has(quad);
  });
  return isTaken ? found : hasLenientQuad(store, texts);
}

/** Removes a quad of terms in canonical form. */
export function deleteQuad(oxigraph: Oxigraph, store: Store, texts: readonly string[]): void {
  if (!withQuad(oxigraph, texts, (quad) => store.delete(quad))) deleteLenientQuad(store, texts);
}

/**
 * Without a fourth term, the quad is in the default graph. Returns false, and does nothing, for
 * IRIs and language tags that Oxigraph rejects.
 */
function withQuad(
  oxigraph: Oxigraph,
  texts: readonly string[],
  use: (quad: import('oxigraph').Quad) => void,
): boolean {
  const terms: unknown[] = [];
  try {
    for (const text of texts) {
      const term = acceptedTerm(oxigraph, text);
      if (term === undefined) return false;
      terms.push(term);
    }
    const [subject, predicate, object, graph] = terms;
    const quad = oxigraph.quad(subject as never, predicate as never, object as never, graph as never);
    terms.push(quad);
    use(quad);
    return true;
  } finally {
    release(...terms);
  }
}

/** Returns undefined for a term that Oxigraph rejects. */
function acceptedTerm(oxigraph: Oxigraph, text: string): unknown {
  try {
    return termOf(oxigraph, text);
  } catch (error) {
    if (isRejection(error)) return undefined;
    throw error;
  }
}

/**
 * Oxigraph throws a URIError for an IRI, and a plain Error for a language tag, such as `en-x`.
 */
function isRejection(error: unknown): boolean {
  return error instanceof URIError || (error as Error).constructor === Error;
}

function termOf(oxigraph: Oxigraph, text: string): unknown {
  const term = parseTerm(text);
  switch (term.kind) {
    case 'iri':
      return oxigraph.namedNode(term.value);
    case 'blank':
      return oxigraph.blankNode(term.value);
    case 'literal':
      return literalOf(oxigraph, term);
    case 'triple':
      return tripleOf(oxigraph, term.value);
  }
}

function literalOf(oxigraph: Oxigraph, { value, language, direction, datatype }: Literal): unknown {
  if (language === '') return typedLiteral(oxigraph, value, datatype);
  return oxigraph.literal(value, direction === '' ? language : { language, direction });
}

function tripleOf(oxigraph: Oxigraph, text: string): unknown {
  const terms: unknown[] = [];
  try {
    for (const part of partsOfTriple(text)) terms.push(termOf(oxigraph, part));
    const [subject, predicate, object] = terms;
    return oxigraph.quad(subject as never, predicate as never, object as never);
  } finally {
    release(...terms);
  }
}

function typedLiteral(oxigraph: Oxigraph, value: string, datatype: string): unknown {
  const node = oxigraph.namedNode(datatype);
  const literal = oxigraph.literal(value, node);
  release(node);
  return literal;
}

/**
 * Oxigraph's objects beyond their declared types: they use memory of WebAssembly, which must be
 * freed explicitly.
 */
interface Freed {
  free(): void;
}

/** Frees objects without hiding an error that is being thrown: after a trap, freeing fails, too. */
export function release(...objects: readonly unknown[]): void {
  try {
    for (const object of objects) (object as Freed).free();
  } catch {
    // The whole instance is about to be discarded.
  }
}
