import { AppError } from '../../errors.ts';
import type { QuadCursor } from '../../graph/quad-cursor.ts';
import { parseTerm } from '../../graph/term.ts';
import type { SnapshotReader } from '../../snapshot/reader.ts';

type Oxigraph = typeof import('oxigraph');
type Store = import('oxigraph').Store;

/** Characters of N-Triples that are handed over at a time. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Puts triples into a store. Those with blank nodes go in one by one: the loader would give the nodes other labels. At most
 * `limit`: null when there are more.
 */
export function fillStore(
  oxigraph: Oxigraph,
  store: Store,
  triples: QuadCursor,
  reader: SnapshotReader,
  limit: number,
): number | null {
  let text = '';
  let count = 0;
  const flush = () => {
    store.load(text, { format: 'application/n-triples', lenient: true });
    text = '';
  };
  while (triples.next()) {
    if (++count > limit) return null;
    const terms = [triples.subject, triples.predicate, triples.object].map((id) => reader.text(id));
    if (terms[0]!.startsWith('_:') || terms[2]!.startsWith('_:')) addOne(oxigraph, store, terms);
    else text += `${terms.join(' ')} .\n`;
    if (text.length > CHUNK_CHARACTERS) flush();
  }
  flush();
  return count;
}

function addOne(oxigraph: Oxigraph, store: Store, texts: readonly string[]): void {
  const [subject, predicate, object] = texts.map((text) => termOf(oxigraph, text));
  const quad = oxigraph.quad(subject as never, predicate as never, object as never);
  store.add(quad);
  release(subject, predicate, object, quad);
}

function termOf(oxigraph: Oxigraph, text: string): unknown {
  const term = parseTerm(text);
  switch (term.kind) {
    case 'iri':
      return oxigraph.namedNode(term.value);
    case 'blank':
      return oxigraph.blankNode(term.value);
    case 'literal':
      if (term.language !== '') return oxigraph.literal(term.value, term.language);
      return typedLiteral(oxigraph, term.value, term.datatype);
  }
}

function typedLiteral(oxigraph: Oxigraph, value: string, datatype: string): unknown {
  const node = oxigraph.namedNode(datatype);
  const literal = oxigraph.literal(value, node);
  release(node);
  return literal;
}

/** The terms of a line of canonical N-Triples, without its end. Error `unsupported-patch` for what RDF 1.1 does not have. */
export function termsOf(line: string): readonly [string, string, string] {
  const first = line.indexOf(' ');
  const second = line.indexOf(' ', first + 1);
  const object = line.slice(second + 1, line.lastIndexOf(' '));
  if (object.startsWith('<<') || (object.startsWith('"') && /@[A-Za-z0-9-]+--[a-z]+$/.test(object))) {
    throw new AppError('unsupported-patch', 'Triple terms and text direction (RDF 1.2) are not supported.', {
      source: 'body',
    });
  }
  return [line.slice(0, first), line.slice(first + 1, second), object];
}

/** What Oxigraph's objects have beyond their declared types: memory of WebAssembly, which must be freed by hand. */
interface Freed {
  free(): void;
}

/** Frees without hiding an error that is on its way: after a trap, freeing fails, too. */
export function release(...objects: readonly unknown[]): void {
  try {
    for (const object of objects) (object as Freed).free();
  } catch {
    // The whole instance is about to be thrown away.
  }
}
