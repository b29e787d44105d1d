import { CLOSE_OBJECT } from '../../../base/json/bytes.ts';
import { placeOfPath } from '../../../base/json/place.ts';
import { QuadBlockBuilder } from '../../interning/quad-block-builder.ts';
import {
  blankTerm,
  iriTerm,
  type TermRef,
  TextTerms,
  taggedTerm,
  typedTerm,
} from '../../interning/text-terms.ts';
import { iriError, shorten } from '../../model/iri.ts';
import type { QuadBlock } from '../../model/quad-block.ts';
import { withOxigraph } from '../../oxigraph/library.ts';
import { statedPosition } from '../../oxigraph/parse.ts';
import { parseError } from '../errors.ts';
import { checkJsonDepth } from '../json-depth.ts';
import { isLanguageTag } from '../language-tag.ts';
import { datatypeError } from '../nquads/canonical-term.ts';
import { checkpoint, type ParseControl } from '../parse-progress.ts';
import { type Position, positionOfByte } from '../position.ts';
import { UnfoldingBudget } from '../unfolding-budget.ts';

/**
 * Reads RDF/JSON (G-44) from valid UTF-8 without a byte order mark. Throws `RdfError`: with line
 * and column for JSON syntax errors, and also with the path for others.
 */
export function parseRdfJson(bytes: Uint8Array, control: ParseControl): QuadBlock {
  checkJsonDepth(bytes);
  const root = parseJson(bytes);
  checkpoint(control, bytes.length);
  const reader = new RdfJsonReader(bytes, control.brief);
  reader.read(root, () => checkpoint(control, bytes.length));
  return reader.finish();
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch {
    throw syntaxError(bytes);
  }
}

/**
 * Makes the document the value of a key that has no meaning in JSON-LD, so that Oxigraph does not
 * process its content.
 */
const wrapper = Buffer.from('{"":');

/** `JSON.parse` does not report positions, but Oxigraph's parser does. */
function syntaxError(bytes: Uint8Array): Error {
  try {
    withOxigraph((oxigraph) => {
      oxigraph.parse(Buffer.concat([wrapper, bytes]) as never, { format: 'application/ld+json' });
    });
  } catch (error) {
    const position = statedPosition(error instanceof Error ? error.message : '');
    return parseError('Malformed JSON', position && unwrapped(position));
  }
  // If only the wrapper makes it valid JSON, it has one bracket too many at its end.
  return parseError('Malformed JSON', positionOfByte(bytes, bytes.lastIndexOf(CLOSE_OBJECT)));
}

function unwrapped({ line, column }: Position): Position {
  return { line, column: line === 1 ? column - wrapper.length : column };
}

const BATCH_SUBJECTS = 4096;

const blankNode = /^_:\S+$/;

type Members = Readonly<Record<string, unknown>>;

class RdfJsonReader {
  readonly #bytes: Uint8Array;
  readonly #builder: QuadBlockBuilder;
  readonly #terms: TextTerms;
  /** Keys and indexes that lead to the value that is being read. */
  readonly #path: (string | number)[] = [];

  constructor(bytes: Uint8Array, brief = false) {
    this.#bytes = bytes;
    this.#builder = new QuadBlockBuilder(bytes.length, () => this.#position());
    const budget = new UnfoldingBudget(bytes.length, brief);
    this.#terms = new TextTerms(this.#builder.terms, budget, (error) => this.#reject(error));
  }

  finish(): QuadBlock {
    return this.#builder.finish(true);
  }

  /** `pause` is called after each batch of subjects. */
  read(root: unknown, pause: () => void): void {
    let subjects = 0;
    for (const [key, predicates] of Object.entries(this.#members(root))) {
      this.#path[0] = key;
      const subject = key.startsWith('_:') ? this.#blankNode(key) : iriTerm(key);
      for (const [name, objects] of Object.entries(this.#members(predicates))) {
        this.#path[1] = name;
        this.#readObjects(subject, iriTerm(name), objects);
      }
      this.#path.length = 0;
      if (++subjects % BATCH_SUBJECTS === 0) pause();
    }
  }

  #readObjects(subject: TermRef, predicate: TermRef, objects: unknown): void {
    if (!Array.isArray(objects)) this.#fail('Expected a list');
    for (const [index, object] of objects.entries()) {
      this.#path[2] = index;
      const term = this.#object(this.#members(object));
      const terms = this.#terms;
      this.#builder.addQuad(terms.indexOf(subject), terms.indexOf(predicate), terms.indexOf(term));
    }
    this.#path.length = 1;
  }

  #object(members: Members): TermRef {
    const { type, value, lang, datatype } = members;
    if (typeof value !== 'string') return this.#fail('Expected a string as "value"');
    if (type === 'literal') return this.#literal(value, lang, datatype);
    if (lang !== undefined || datatype !== undefined) {
      return this.#fail('Only a literal has "lang" or "datatype"');
    }
    if (type === 'uri') return iriTerm(value);
    if (type === 'bnode') return this.#blankNode(value);
    return this.#fail('Expected "uri", "literal" or "bnode" as "type"');
  }

  #literal(value: string, lang: unknown, datatype: unknown): TermRef {
    if (!value.isWellFormed()) this.#fail('A literal contains half of a surrogate pair');
    if (lang !== undefined && datatype !== undefined) this.#fail('Both "lang" and "datatype" are given');
    if (lang !== undefined) {
      if (typeof lang !== 'string' || !isLanguageTag(lang)) return this.#fail('Malformed language tag');
      return taggedTerm(value, lang);
    }
    if (datatype === undefined) return typedTerm(value);
    if (typeof datatype !== 'string') return this.#fail('Expected a string as "datatype"');
    this.#reject(iriError(datatype) ?? datatypeError(datatype));
    return typedTerm(value, datatype);
  }

  #blankNode(label: string): TermRef {
    if (!blankNode.test(label)) this.#fail('Expected a blank node as "_:label"');
    return blankTerm(label);
  }

  #members(value: unknown): Members {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Members;
    return this.#fail('Expected an object');
  }

  #reject(error: string | undefined): void {
    if (error !== undefined) this.#fail(error);
  }

  #fail(message: string): never {
    const path = this.#path.map((step) => (typeof step === 'number' ? step : shorten(step)));
    throw parseError(
      path.length === 0 ? message : `${message}, at ${JSON.stringify(path)}`,
      this.#position(),
    );
  }

  #position(): Position {
    return positionOfByte(this.#bytes, placeOfPath(this.#bytes, this.#path));
  }
}
