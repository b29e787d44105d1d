import { AppError } from '../../errors.ts';
import type { QuadCursor } from '../../graph/quad-cursor.ts';
import { addQuad } from '../../rdf/oxigraph-terms.ts';
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
    if (terms[0]!.startsWith('_:') || terms[2]!.startsWith('_:')) addQuad(oxigraph, store, terms);
    else text += `${terms.join(' ')} .\n`;
    if (text.length > CHUNK_CHARACTERS) flush();
  }
  flush();
  return count;
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
