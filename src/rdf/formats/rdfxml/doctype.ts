import { parseError } from '../errors.ts';
import { positionOfByte } from '../position.ts';

/** What references to an entity stand for. */
export interface Entity {
  readonly text: string;
  /** The same in the value of an attribute, where white space becomes spaces. */
  readonly attribute: string;
}

const start = '<!DOCTYPE';
const space = '[ \\t\\r\\n]';
const entity = new RegExp(
  `<!ENTITY${space}+(?:%${space}|([^\\s%"'<>&;]+)${space}+(?:(?:SYSTEM|PUBLIC)${space}|(?:"([^"]*)"|'([^']*)')${space}*>))`,
  'y',
);

/** What entities of these names must stand for, if they are declared. */
const predefined: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/**
 * Returns the entities that a document type declaration declares, the first of each name. Its
 * entities must be internal, and must not refer to each other. An external subset is not read.
 * `end` is the offset after the declaration, up to which the parser has read the document. Throws
 * `RdfError`.
 */
export function readDoctype(document: Buffer, end: number): ReadonlyMap<string, Entity> {
  const from = startOf(document);
  const text = document.toString('utf8', from, end);
  return readEntities(text, (offset, message) => {
    throw parseError(message, positionOfByte(document, from + Buffer.byteLength(text.slice(0, offset))));
  });
}

/** Only comments and processing instructions have a `<` before a document type declaration. */
function startOf(document: Buffer): number {
  let at = document.indexOf('<');
  for (let end = endOfMisc(document, at); end !== undefined; end = endOfMisc(document, at)) {
    at = document.indexOf('<', end);
  }
  return at;
}

/** Returns the offset after a comment or a processing instruction; undefined for other markup. */
function endOfMisc(document: Buffer, at: number): number | undefined {
  if (document[at + 1] === QUESTION) return document.indexOf('?>', at + 2) + 2;
  return document[at + 2] === MINUS ? document.indexOf('-->', at + 4) + 3 : undefined;
}

const QUESTION = 0x3f;
const MINUS = 0x2d;

type Fail = (offset: number, message: string) => never;

function readEntities(declaration: string, fail: Fail): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  for (let at = start.length; at < declaration.length; ) {
    const skipped = skip(declaration, at);
    if (skipped !== undefined) {
      at = skipped;
    } else if (declaration.startsWith('<!ENTITY', at)) {
      const { name, value, end } = readDeclaration(declaration, at, fail);
      const meaning = meaningOf(name, value, (message) => fail(at, message));
      if (!entities.has(name)) entities.set(name, meaning);
      at = end;
    } else {
      at++;
    }
  }
  for (const name of predefined.keys()) entities.delete(name);
  return entities;
}

/**
 * Returns the offset after what cannot contain a declaration: a comment, a processing instruction,
 * or a text in quotes.
 */
function skip(declaration: string, at: number): number | undefined {
  const first = declaration[at]!;
  if (first === '"' || first === "'") return endOf(declaration, first, at + 1);
  if (first !== '<') return undefined;
  if (declaration.startsWith('<!--', at)) return endOf(declaration, '-->', at + 4);
  return declaration[at + 1] === '?' ? endOf(declaration, '?>', at + 2) : undefined;
}

/** Returns the offset after the next occurrence of a text, or the end if it does not occur. */
function endOf(declaration: string, close: string, from: number): number {
  const found = declaration.indexOf(close, from);
  return found < 0 ? declaration.length : found + close.length;
}

interface Declaration {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function readDeclaration(declaration: string, at: number, fail: Fail): Declaration {
  entity.lastIndex = at;
  const match = entity.exec(declaration);
  if (match === null) return fail(at, 'Malformed entity declaration');
  const [, name, double, single] = match;
  const value = double ?? single;
  if (name === undefined || value === undefined) return fail(at, 'Only internal entities are supported');
  return { name, value, end: entity.lastIndex };
}

/**
 * References to characters are replaced in the declaration, and once more where the entity is used:
 * `&#38;#60;` is `<` as text.
 */
function meaningOf(name: string, value: string, fail: (message: string) => never): Entity {
  if (value.includes('%')) fail('Write "%" as &#37; in the text of an entity');
  if (/&(?!#)/.test(value)) fail('Entities that refer to entities are not supported');
  const replacement = withCharacters(value.replace(/\r\n?/g, '\n'), fail);
  if (replacement.includes('<')) fail('Entities that stand for markup are not supported');
  if (/&(?!#)/.test(replacement)) fail('Entities that refer to entities are not supported');
  const text = withCharacters(replacement, fail);
  const required = predefined.get(name);
  if (required !== undefined && text !== required) fail(`The entity ${name} can only stand for ${required}`);
  return { text, attribute: withCharacters(replacement.replace(/[\t\n\r]/g, ' '), fail) };
}

/** Replaces references to characters. */
function withCharacters(text: string, fail: (message: string) => never): string {
  return text.replace(
    /&#(?:x0*([0-9A-Fa-f]{1,6})|0*([0-9]{1,7}));|&#/g,
    (_, hex?: string, decimal?: string) => {
      const code = hex === undefined ? Number.parseInt(decimal ?? '0', 10) : Number.parseInt(hex, 16);
      return isXmlCharacter(code)
        ? String.fromCodePoint(code)
        : fail('Malformed reference to a character in an entity');
    },
  );
}

function isXmlCharacter(code: number): boolean {
  if (code < 0x20) return code === 0x09 || code === 0x0a || code === 0x0d;
  return code < 0xd800 || (code >= 0xe000 && code <= 0x10ffff && code !== 0xfffe && code !== 0xffff);
}
