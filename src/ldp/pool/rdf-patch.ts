import { AppError } from '../../errors.ts';
import { NewBlankNodes } from '../../rdf/formats/new-blank-nodes.ts';
import type { PatchSteps } from './patch-changes.ts';
import { PatchRows } from './patch-rows.ts';
import { RdfPatchReader } from './rdf-patch-reader.ts';

const positions = ['subject', 'predicate', 'object'] as const;
type Position = (typeof positions)[number];

/**
 * Reads `application/rdf-patch` (http-api L-71). `base`: for relative IRIs. Errors: `parse-error`
 * with line and column, `unsupported-patch`, `too-large` (`LengthyDocumentError` if `brief`).
 */
export function readRdfPatch(text: string, base: string, brief = false): PatchSteps {
  const reader = new RdfPatchReader(text, base, brief);
  const steps = new Steps(reader, text.length);
  while (!reader.skipSpace() && reader.takeWord('@prefix')) {
    reader.prefix();
    reader.expect('.', 'a dot');
  }
  while (!reader.skipSpace()) steps.read();
  return steps.rows.finish();
}

class Steps {
  readonly rows: PatchRows;
  readonly #reader: RdfPatchReader;
  readonly #newNodes = new NewBlankNodes();
  /** Canonical forms of the previous line. */
  readonly #previous = new Map<Position, string>();

  constructor(reader: RdfPatchReader, size: number) {
    this.#reader = reader;
    this.rows = new PatchRows(size, () => reader.position());
  }

  read(): void {
    const added = this.#reader.takeWord('A');
    if (!added && !this.#reader.takeWord('D')) throw this.#unknownLine();
    const [subject, predicate, object] = positions.map((position) => this.#term(position, added)) as [
      string,
      string,
      string,
    ];
    this.#reader.expect('.', 'a dot');
    this.rows.push(added, subject, predicate, object);
  }

  #term(position: Position, added: boolean): string {
    const reader = this.#reader;
    reader.skipSpace();
    const term = reader.takeWord('R') ? this.#repeated(position) : this.#written(position);
    if (!added && term.startsWith('_:')) {
      throw new AppError(
        'unsupported-patch',
        'A blank node has no name outside its document, so a D line cannot contain one.',
        { source: 'body' },
      );
    }
    this.#previous.set(position, term);
    return term;
  }

  #repeated(position: Position): string {
    const term = this.#previous.get(position);
    if (term === undefined) throw this.#reader.error(`There is no previous ${position} for R to repeat`);
    return term;
  }

  #written(position: Position): string {
    const reader = this.#reader;
    const label = position === 'predicate' ? undefined : reader.blankNode();
    if (label !== undefined) return this.#newNodes.label(label);
    const term = reader.iri() ?? (position === 'object' ? reader.literal() : undefined);
    if (term === undefined) throw reader.error(`Expected ${described[position]}`);
    return term;
  }

  #unknownLine(): Error {
    const { rest } = this.#reader;
    return this.#reader.error(
      rest === '@prefix' ? 'Prefixes must be declared before the first change' : 'Expected A or D',
    );
  }
}

const described: Readonly<Record<Position, string>> = {
  subject: 'a subject: an IRI, a blank node or R',
  predicate: 'a predicate: an IRI or R',
  object: 'an object: an IRI, a blank node, a string or R',
};
