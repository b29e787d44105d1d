import type { Term } from '../../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../../rdf/model/term-id.ts';
import { isTripleTerm } from '../../../rdf/model/triple-term.ts';
import { hasSpelling } from '../../../rdf/oxigraph/spelling.ts';
import type { UpdatedData } from '../../effects/updated-data.ts';
import { canonicalCell } from '../../results/canonical-cell.ts';
import type { RequestSpellings } from './request-spellings.ts';

/** The value of a variable. */
export interface Binding {
  readonly kind: Term['kind'];
  /** In canonical N-Triples form, as Oxigraph writes it. */
  readonly text: string;
  /** Ids of its spellings in the data; empty if it is not in the data. */
  readonly known: readonly TermId[];
}

/** The most cached bindings. Predicates and graphs recur; most other values do not. */
const MAX_KEPT = 1_000;

/** Reads the cells of solutions. */
export class Bindings {
  readonly #data: UpdatedData;
  readonly #spellings: RequestSpellings;
  readonly #kept = new Map<string, Binding | undefined>();

  constructor(data: UpdatedData, spellings: RequestSpellings) {
    this.#data = data;
    this.#spellings = spellings;
  }

  /** Returns undefined for an unbound variable. */
  read(cell: string): Binding | undefined {
    if (cell === '') return undefined;
    const kept = this.#kept.get(cell);
    if (kept) return kept;
    const binding = this.#make(cell);
    if (this.#kept.size < MAX_KEPT) this.#kept.set(cell, binding);
    return binding;
  }

  #make(cell: string): Binding | undefined {
    const text = canonicalCell(cell, (literal) => literal);
    const kind = kindOf(text);
    const written = hasSpelling(text) ? this.#spellings.of(text) : [];
    const id = this.#data.terms.findText(text);
    const known = id === NO_TERM ? [] : [id];
    for (const each of written) {
      const other = this.#data.terms.findText(each);
      if (other !== NO_TERM) known.push(other);
    }
    return { kind, text, known };
  }

  /**
   * Chooses the spelling of an added term. It is Oxigraph's spelling if the data have that one, or
   * none; otherwise the oldest spelling in the data, or that of the update.
   */
  preferred({ kind, text, known }: Binding): TermId {
    const { terms, reader } = this.#data;
    // Other terms have a single spelling.
    const mayVary = kind === 'literal' || kind === 'triple';
    if (!mayVary || (known.length < 2 && known[0] === terms.findText(text))) {
      return known[0] ?? terms.internText(text);
    }
    const isStored = (id: TermId) => id <= reader.terms.termCount && reader.mentions(id);
    const canonical = terms.findText(text);
    if (canonical !== NO_TERM && (isStored(canonical) || this.#spellings.has(text))) return canonical;
    const stored = known.filter(isStored);
    if (stored.length > 0) return Math.min(...stored);
    const added = this.#spellings.of(text).find((written) => this.#spellings.has(written));
    return terms.internText(added ?? text);
  }
}

function kindOf(text: string): Term['kind'] {
  if (isTripleTerm(text)) return 'triple';
  if (text.startsWith('<')) return 'iri';
  return text.startsWith('_') ? 'blank' : 'literal';
}
