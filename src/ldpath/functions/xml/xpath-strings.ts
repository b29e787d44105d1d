/**
 * The string functions of XPath whose time or result may grow faster than their arguments. They
 * work like the library's own functions, but within limits.
 */
import { indexOf } from '../../compile/text-search.ts';
import { MAX_DOCUMENT_CHARACTERS, meter } from '../document-meter.ts';
import type { XPathValue } from './xpath-library.ts';

/** The number of characters between two charges. */
const PIECE = 4096;

interface StringFunction {
  readonly arity: readonly [least: number, most: number];
  readonly call: (...texts: string[]) => string | boolean;
}

const functions: Readonly<Record<string, StringFunction>> = {
  contains: { arity: [2, 2], call: (text = '', part = '') => indexOf(text, part) >= 0 },
  'substring-before': { arity: [2, 2], call: substringBefore },
  'substring-after': { arity: [2, 2], call: substringAfter },
  translate: { arity: [3, 3], call: translate },
  concat: { arity: [2, Number.POSITIVE_INFINITY], call: concat },
};

/**
 * Returns a function for the library, which evaluates the arguments; undefined for all functions
 * that the library implements itself.
 */
export function stringFunction(name: string, namespace: string) {
  if (namespace !== '' || !Object.hasOwn(functions, name)) return undefined;
  const { arity, call } = functions[name]!;
  return (_context: object, ...args: readonly XPathValue[]) => {
    if (args.length < arity[0] || args.length > arity[1])
      throw new Error(`The function ${name} has ${args.length} arguments`);
    const texts = args.map((arg) => arg.stringValue());
    for (const { length } of texts) meter.read(length);
    return call(...texts);
  };
}

function substringBefore(text = '', part = ''): string {
  return text.slice(0, Math.max(indexOf(text, part), 0));
}

function substringAfter(text = '', part = ''): string {
  const index = indexOf(text, part);
  return index < 0 ? '' : text.slice(index + part.length);
}

/**
 * Replaces characters of `from` by those at the same position in `to`, or removes them; the first
 * occurrence counts.
 */
function translate(text = '', from = '', to = ''): string {
  const images = new Map<string, string>();
  for (let i = from.length - 1; i >= 0; i--) images.set(from[i]!, to[i] ?? '');
  const written: string[] = [];
  for (let i = 0; i < text.length; i++) {
    if (i % PIECE === 0) meter.read(PIECE);
    written.push(images.get(text[i]!) ?? text[i]!);
  }
  return written.join('');
}

function concat(...texts: string[]): string {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length <= MAX_DOCUMENT_CHARACTERS) return texts.join('');
  throw meter.exceeded(`A text in an XPath has more than ${MAX_DOCUMENT_CHARACTERS} characters`);
}
