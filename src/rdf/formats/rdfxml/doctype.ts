import { parseError, RdfError } from '../errors.ts';
import { positionOfByte } from '../position.ts';

/** The most bytes that the entities of a document may expand to. */
const MAX_ENTITY_BYTES = 16 * 1024 * 1024;

const entity = /<!ENTITY\s+(%\s+)?([^\s%"']+)\s+(?:(SYSTEM|PUBLIC)\b|"([^"]*)"|'([^']*)')/g;

/** Lengths of the replacement texts of entities. */
export interface EntityTexts {
  readonly longest: number;
  /** All of them together, each as often as it is used. */
  readonly written: number;
}

export interface Doctype extends EntityTexts {
  /** Offset after the declaration. */
  readonly end: number;
}

/**
 * Checks a document type declaration: its entities must be internal, must not refer to each other,
 * and must not expand to too much in the rest of the document. An external subset is not read.
 * Returns undefined if the declaration is not closed. Throws `RdfError`.
 */
export function checkDoctype(document: Buffer, start: number): Doctype | undefined {
  // Offsets in Latin-1 are byte offsets, and everything that is relevant here is ASCII.
  const text = document.toString('latin1', start);
  const length = doctypeLength(text);
  if (length === undefined) return undefined;
  const fail = (offset: number, message: string): never => {
    throw parseError(message, positionOfByte(document, start + offset));
  };
  const sizes = entitySizes(text.slice(0, length), fail);
  refuseOtherEntities(text, sizes.declared, fail);
  const written = sizes.declared > 0 ? checkExpansion(text, length, sizes.byName) : 0;
  const longest = [...sizes.byName.values()].reduce((most, size) => Math.max(most, size), 0);
  return { end: start + length, longest, written };
}

/**
 * Returns the length up to the bracket that closes the declaration; brackets in comments and quotes
 * do not count.
 */
function doctypeLength(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at]!;
    if (character === '"' || character === "'") {
      at = text.indexOf(character, at + 1);
      if (at < 0) return undefined;
    } else if (character === '<' && text.startsWith('<!--', at)) {
      at = text.indexOf('-->', at) + 2;
      if (at < 2) return undefined;
    } else if (character === '<' || character === '[') {
      depth++;
    } else if ((character === '>' || character === ']') && --depth === 0) {
      return at + 1;
    }
  }
  return undefined;
}

type Fail = (offset: number, message: string) => never;

interface EntitySizes {
  /** Number of declarations that were recognised. */
  readonly declared: number;
  /** Length of each general entity's text; the longest if one is declared again. */
  readonly byName: ReadonlyMap<string, number>;
}

function entitySizes(declaration: string, fail: Fail): EntitySizes {
  const byName = new Map<string, number>();
  let declared = 0;
  for (const { index, 1: parameter, 2: name, 3: external, 4: double, 5: single } of declaration.matchAll(
    entity,
  )) {
    if (parameter !== undefined || external !== undefined)
      fail(index, 'Only internal entities are supported');
    const value = double ?? single ?? '';
    if (/&(?!#)|%/.test(value)) fail(index, 'Entities that refer to entities are not supported');
    byName.set(name!, Math.max(value.length, byName.get(name!) ?? 0));
    declared++;
  }
  return { declared, byName };
}

/**
 * The parser that follows is more lenient about the form of a declaration and about where the
 * document type ends. So every entity declaration in the document must be one that was recognised
 * here.
 */
function refuseOtherEntities(text: string, declared: number, fail: Fail): void {
  let count = 0;
  for (let at = text.indexOf('<!ENTITY'); at >= 0; at = text.indexOf('<!ENTITY', at + 1)) {
    if (++count > declared) fail(at, 'Malformed or misplaced entity declaration');
  }
}

/** Returns the total length of the texts of all references. */
function checkExpansion(text: string, from: number, sizes: ReadonlyMap<string, number>): number {
  const reference = /&([^;&<\s]{1,200});/g;
  reference.lastIndex = from;
  let total = 0;
  for (let match = reference.exec(text); match !== null; match = reference.exec(text)) {
    total += sizes.get(match[1]!) ?? 0;
    if (total > MAX_ENTITY_BYTES) {
      throw new RdfError('too-large', `Entities expand to more than ${MAX_ENTITY_BYTES} bytes`, {
        source: 'body',
      });
    }
  }
  return total;
}
