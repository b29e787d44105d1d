/**
 * Writes the values of a field with a type as JSON bytes (ldpath 4, http-api 4.1), converting one
 * after another. If the conversion leaves the text of a common kind of literal unchanged, its bytes
 * are copied and no term is created.
 */

import { piece } from '../../base/bytes/writer.ts';
import { XSD, XSD_STRING } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { transformTerm } from '../compile/transformers.ts';
import type { EvaluationContext } from './context.ts';
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, openLiteral, writeNode } from './result-json.ts';
import type { ResultWriter } from './result-writer.ts';

/**
 * Writes `[ node, ... ]` with the converted ids on the stack from `start` on; a value that does not
 * convert is left out.
 */
export function writeConverted(
  context: EvaluationContext,
  type: string,
  start: number,
  out: ResultWriter,
): void {
  const { stack } = context;
  const copy = copiers.get(type);
  out.byte(OPEN_ARRAY);
  const first = out.length;
  for (let i = start; i < stack.length; i++) {
    const before = out.length;
    if (before > first) out.byte(COMMA);
    const id = stack[i]!;
    if (copy !== undefined && id > NO_TERM && copy(context, id, out)) continue;
    const converted = transformTerm(context, type, id);
    if (converted === NO_TERM) out.length = before;
    else writeNode(context, converted, out);
  }
  out.byte(CLOSE_ARRAY);
}

/**
 * Writes the conversion of a term of the graph if its bytes suffice to determine it; otherwise
 * returns false and writes nothing.
 */
type Copier = (context: EvaluationContext, id: TermId, out: ResultWriter) => boolean;

const copiers: ReadonlyMap<string, Copier> = new Map([
  [XSD_STRING, copyLexicalForm],
  ...['integer', 'long', 'int'].map((name): [string, Copier] => [
    `${XSD}${name}`,
    digitCopier(`${XSD}${name}`),
  ]),
]);

/** Writes a literal, whatever its type, as a string. */
function copyLexicalForm(context: EvaluationContext, id: TermId, out: ResultWriter): boolean {
  const { terms } = context.graph;
  const { bytes } = terms;
  const start = terms.start(id);
  if (bytes[start] !== QUOTE) return false;
  let close = terms.end(id) - 1;
  while (bytes[close] !== QUOTE) close--;
  out.append(openLiteral);
  out.copy(bytes, start, close + 1);
  out.byte(CLOSE_OBJECT);
  return true;
}

/**
 * Copies literals, whatever their type, that are short canonical integers without a sign, as
 * literals of `type`, which must have at least 32 bits.
 */
function digitCopier(type: string): Copier {
  const closeLiteral = piece(`,"datatype":"${type}"}`);
  return (context, id, out) => {
    const { terms } = context.graph;
    const { bytes } = terms;
    const start = terms.start(id);
    if (bytes[start] !== QUOTE) return false;
    const close = endOfDigits(bytes, start + 1);
    const count = close - start - 1;
    if (bytes[close] !== QUOTE || count === 0 || count > MAX_DIGITS) return false;
    if (bytes[start + 1] === ZERO && count > 1) return false;
    out.append(openLiteral);
    out.copy(bytes, start, close + 1);
    out.append(closeLiteral);
    return true;
  };
}

function endOfDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at]! >= ZERO && bytes[at]! <= NINE) at++;
  return at;
}

/** Numbers with this many digits fit in 32 bits. */
const MAX_DIGITS = 9;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
