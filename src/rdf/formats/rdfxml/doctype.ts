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
  /** What references to the entities stand for. */
  readonly texts: ReadonlyMap<string, string>;
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
  const { declared, texts } = readEntities(text.slice(0, length), fail);
  rejectOtherEntities(text, declared, fail);
  const written = declared > 0 ? checkExpansion(text, length, texts) : 0;
  const longest = [...texts.values()].reduce((most, { length: size }) => Math.max(most, size), 0);
  return { end: start + length, longest, written, texts };
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

interface Entities {
  /** Number of declarations that were recognised. */
  readonly declared: number;
  /** The text of each general entity: that of its first declaration. */
  readonly texts: ReadonlyMap<string, string>;
}

function readEntities(declaration: string, fail: Fail): Entities {
  const texts = new Map<string, string>();
  let declared = 0;
  for (const { index, 1: parameter, 2: name, 3: external, 4: double, 5: single } of declaration.matchAll(
    entity,
  )) {
    if (parameter !== undefined || external !== undefined)
      fail(index, 'Only internal entities are supported');
    const value = double ?? single ?? '';
    if (/&(?!#)|%/.test(value)) fail(index, 'Entities that refer to entities are not supported');
    const text = entityText(value) ?? fail(index, 'Entities that stand for markup are not supported');
    if (!texts.has(utf8(name!))) texts.set(utf8(name!), text);
    declared++;
  }
  return { declared, texts };
}

/**
 * Returns what a reference to an entity stands for; undefined if that is markup or not well-formed.
 * References to characters are replaced in the declaration, and once more where the entity is used:
 * `&#38;#60;` is `<` as text.
 */
function entityText(value: string): string | undefined {
  const replacement = withCharacters(utf8(value));
  if (replacement === undefined || /<|&(?!#)/.test(replacement)) return undefined;
  return withCharacters(replacement);
}

/** Replaces references to characters; returns undefined if one is malformed. */
function withCharacters(text: string): string | undefined {
  let isWellFormed = true;
  const result = text.replace(
    /&#(?:x([0-9A-Fa-f]{1,6})|([0-9]{1,7}));|&#/g,
    (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number.parseInt(decimal ?? '0', 10) : Number.parseInt(hex, 16);
      if (isXmlCharacter(code)) return String.fromCodePoint(code);
      isWellFormed = false;
      return '';
    },
  );
  return isWellFormed ? result : undefined;
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff);
}

/** The declaration is decoded as Latin-1. */
function utf8(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString('utf8');
}

/**
 * The parser that follows is more lenient about the form of a declaration and about where the
 * document type ends. So every entity declaration in the document must be one that was recognised
 * here.
 */
function rejectOtherEntities(text: string, declared: number, fail: Fail): void {
  let count = 0;
  for (let at = text.indexOf('<!ENTITY'); at >= 0; at = text.indexOf('<!ENTITY', at + 1)) {
    if (++count > declared) fail(at, 'Malformed or misplaced entity declaration');
  }
}

/** Returns the total length of the texts of all references. */
function checkExpansion(text: string, from: number, texts: ReadonlyMap<string, string>): number {
  const reference = /&([^;&<\s]{1,200});/g;
  reference.lastIndex = from;
  let total = 0;
  for (let match = reference.exec(text); match !== null; match = reference.exec(text)) {
    total += texts.get(utf8(match[1]!))?.length ?? 0;
    if (total > MAX_ENTITY_BYTES) {
      throw new RdfError('too-large', `Entities expand to more than ${MAX_ENTITY_BYTES} bytes`, {
        source: 'body',
      });
    }
  }
  return total;
}
