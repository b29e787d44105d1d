/**
 * Writes results as JSON bytes (http-api 4.1). A term of the graph is copied from its canonical
 * N-Triples, whose string content is valid JSON string content (see `rdf/model/term.ts`); terms
 * created during evaluation are encoded.
 */

import { piece } from '../../base/bytes/writer.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { parseTerm, partsOfTag } from '../../rdf/model/term.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { isTripleTermAt } from '../../rdf/model/triple-term.ts';
import type { EvaluationContext } from './context.ts';
import { nodeObject } from './node-object.ts';
import type { ResultWriter } from './result-writer.ts';
import { writeStoredNodes } from './stored-nodes.ts';
import { AT_ONCE } from './term-group.ts';

/** Writes `[ node, ... ]` for the ids from `start` on in a list. */
export function writeNodes(
  context: EvaluationContext,
  ids: readonly TermId[],
  start: number,
  out: ResultWriter,
): void {
  out.byte(OPEN_ARRAY);
  const { terms } = context.graph;
  for (let from = start; from < ids.length; from += AT_ONCE) {
    if (from > start) out.byte(COMMA);
    if (!writeStoredNodes(terms, ids, from, out)) writeEach(context, ids.slice(from, from + AT_ONCE), out);
  }
  out.byte(CLOSE_ARRAY);
}

/**
 * Writes the nodes that `writeStoredNodes` does not handle: terms created during evaluation, and
 * large ones.
 */
function writeEach(context: EvaluationContext, ids: readonly TermId[], out: ResultWriter): void {
  for (let i = 0; i < ids.length; i++) {
    if (i > 0) out.byte(COMMA);
    writeNode(context, ids[i]!, out);
  }
}

/** Writes one node as JSON. */
export function writeNode(context: EvaluationContext, id: TermId, out: ResultWriter): void {
  if (id > NO_TERM) writeStoredNode(context.graph.terms, id, out);
  else writeMadeNode(context.text(id), out);
}

/**
 * Of these terms, only an IRI can contain characters that JSON must escape, because start nodes
 * come from the client.
 */
function writeMadeNode(text: string, out: ResultWriter): void {
  if (!text.startsWith('"')) {
    out.text(JSON.stringify(nodeObject(parseTerm(text))));
    return;
  }
  const close = text.lastIndexOf('"') + 1;
  out.append(openLiteral);
  out.text(text.slice(0, close));
  if (close === text.length) {
    out.byte(CLOSE_OBJECT);
    return;
  }
  if (text[close] === '@') {
    writeTag(text.slice(close + 1), out);
    return;
  }
  out.append(openDatatype);
  out.text(text.slice(close + 3, -1));
  out.append(closeString);
}

/** Writes the language and perhaps the direction of a literal, and the end of the object. */
function writeTag(tag: string, out: ResultWriter): void {
  const { language, direction } = partsOfTag(tag);
  out.append(openLanguage);
  out.text(language);
  if (direction !== '') {
    out.append(openDirection);
    out.text(direction);
  }
  out.append(closeString);
}

function writeStoredNode(terms: TermBytes, id: TermId, out: ResultWriter): void {
  const { bytes } = terms;
  const start = terms.start(id);
  const end = terms.end(id);
  switch (bytes[start]) {
    case LESS_THAN:
      if (isTripleTermAt(bytes, start)) {
        writeMadeNode(textOf(bytes, start, end), out);
        return;
      }
      out.append(openUri);
      out.copy(bytes, start + 1, end - 1);
      out.append(closeString);
      break;
    case UNDERSCORE:
      out.append(openBlank);
      out.copy(bytes, start + 2, end);
      out.append(closeString);
      break;
    default:
      writeStoredLiteral(bytes, start, end, out);
  }
}

/** `"value"`, `"value"@lang` or `"value"^^<datatype>`: the last quote ends the value. */
function writeStoredLiteral(bytes: Uint8Array, start: number, end: number, out: ResultWriter): void {
  let close = end - 1;
  while (bytes[close] !== QUOTE) close--;
  out.append(openLiteral);
  out.copy(bytes, start, close + 1);
  if (close === end - 1) {
    out.byte(CLOSE_OBJECT);
    return;
  }
  if (bytes[close + 1] === AT) {
    writeTag(textOf(bytes, close + 2, end), out);
    return;
  }
  out.append(openDatatype);
  out.copy(bytes, close + 4, end - 1);
  out.append(closeString);
}

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.subarray(start, end)).toString();
}

const openUri = piece('{"type":"uri","value":"');
const openBlank = piece('{"type":"bnode","value":"');
export const openLiteral = piece('{"type":"literal","value":');
const openLanguage = piece(',"lang":"');
const openDirection = piece('","direction":"');
const openDatatype = piece(',"datatype":"');
const closeString = piece('"}');

export const OPEN_ARRAY = 0x5b;
export const CLOSE_ARRAY = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
export const COMMA = 0x2c;
const QUOTE = 0x22;
const AT = 0x40;
const LESS_THAN = 0x3c;
const UNDERSCORE = 0x5f;
