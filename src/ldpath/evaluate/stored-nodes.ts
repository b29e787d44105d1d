/** Writes lists of the graph's terms as JSON (http-api 4.1), optimised for speed. */

import { copyWide } from '../../base/bytes/wide-copy.ts';
import type { TermBytes } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { ResultWriter } from './result-writer.ts';
import { recorded, recordTerms } from './term-group.ts';

/**
 * Upper bound for the bytes of a node in addition to those of its term, including the comma and the
 * bytes written past its end.
 */
const FRAME = 64;

const { starts, ends, firsts, lasts } = recorded;

/**
 * Appends the nodes of at most `AT_ONCE` ids from `from` on, separated by commas; returns false,
 * without writing, if they must be written one by one.
 */
export function writeStoredNodes(
  terms: TermBytes,
  ids: readonly TermId[],
  from: number,
  out: ResultWriter,
): boolean {
  const count = recordTerms(terms, ids, from, FRAME, out);
  if (count === 0) return false;
  const source = out.viewOfSource(terms.bytes);
  const target = out.view;
  let at = out.length;
  for (let i = 0; i < count; i++) {
    if (i > 0) target.setUint8(at++, COMMA);
    at = writeNode(source, i, target, at);
  }
  out.length = at;
  return true;
}

/** Writes the node of one of the recorded terms; returns the end offset. */
function writeNode(source: DataView, i: number, target: DataView, at: number): number {
  const start = starts[i]!;
  const end = ends[i]!;
  switch (firsts[i]) {
    case LESS_THAN:
      return writeQuoted(source, start + 1, end - 1, target, writeOpenUri(target, at));
    case UNDERSCORE:
      return writeQuoted(source, start + 2, end, target, writeOpenBlank(target, at));
    default:
      return lasts[i] === QUOTE
        ? writePlainLiteral(source, start, end, target, at)
        : writeLiteral(source, start, end, target, at);
  }
}

/*
 * The following functions take source and target as parameters: with both in one object, made for
 * each list, a program of six fields takes 1 to 2 percent longer.
 */

/** `"value"` */
// biome-ignore lint/complexity/useMaxParams: an object for source and target costs time (see above)
function writePlainLiteral(
  source: DataView,
  start: number,
  end: number,
  target: DataView,
  at: number,
): number {
  const next = writeOpenLiteral(target, at);
  copyWide(source, start, end, target, next);
  const after = next + end - start;
  target.setUint8(after, CLOSE_OBJECT);
  return after + 1;
}

/** `"value"@lang` or `"value"^^<datatype>`: the last quote ends the value. */
// biome-ignore lint/complexity/useMaxParams: an object for source and target costs time (see above)
function writeLiteral(source: DataView, start: number, end: number, target: DataView, at: number): number {
  let close = end - 1;
  while (source.getUint8(close) !== QUOTE) close--;
  close++;
  const next = writeOpenLiteral(target, at);
  copyWide(source, start, close, target, next);
  const after = next + close - start;
  if (source.getUint8(close) === AT) {
    return writeTag(source, close + 1, end, target, writeLanguage(target, after));
  }
  return writeQuoted(source, close + 3, end - 1, target, writeDatatype(target, after));
}

/** Writes a language and perhaps a direction, and the end of the object. */
// biome-ignore lint/complexity/useMaxParams: an object for source and target costs time (see above)
function writeTag(source: DataView, from: number, to: number, target: DataView, at: number): number {
  const dashes = to - DIRECTION_BYTES;
  if (dashes <= from || source.getUint16(dashes) !== DASHES) return writeQuoted(source, from, to, target, at);
  copyWide(source, from, dashes, target, at);
  const next = writeDirection(target, at + dashes - from);
  return writeQuoted(source, dashes + 2, to, target, next);
}

/** Writes the rest of a string after its opening quote, and the end of the object. */
// biome-ignore lint/complexity/useMaxParams: an object for source and target costs time (see above)
function writeQuoted(source: DataView, from: number, to: number, target: DataView, at: number): number {
  copyWide(source, from, to, target, at);
  const end = at + to - from;
  target.setUint16(end, CLOSE_STRING_OBJECT, true);
  return end + 2;
}

/*
 * Fixed texts, written eight bytes at a time as doubles (see `wide-copy.ts`). The last step may
 * write past the text; the following text overwrites those bytes.
 */

/** Returns a text as `count` doubles, padded with blanks. */
function eights(text: string, count: number): number[] {
  const bytes = new TextEncoder().encode(text.padEnd(8 * count));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: count }, (_, i) => view.getFloat64(8 * i, true));
}

const OPEN_URI = '{"type":"uri","value":"';
const OPEN_BLANK = '{"type":"bnode","value":"';
const OPEN_LITERAL = '{"type":"literal","value":';
const LANGUAGE = ',"lang":"';
const DIRECTION = '","direction":"';
const DATATYPE = ',"datatype":"';

const [uri0, uri1, uri2] = eights(OPEN_URI, 3) as [number, number, number];
const [blank0, blank1, blank2, blank3] = eights(OPEN_BLANK, 4) as [number, number, number, number];
const [literal0, literal1, literal2, literal3] = eights(OPEN_LITERAL, 4) as [number, number, number, number];
const [language0] = eights(LANGUAGE, 1) as [number];
const [direction0, direction1] = eights(DIRECTION, 2) as [number, number];
const [datatype0, datatype1] = eights(DATATYPE, 2) as [number, number];

function writeOpenUri(target: DataView, at: number): number {
  target.setFloat64(at, uri0, true);
  target.setFloat64(at + 8, uri1, true);
  target.setFloat64(at + 16, uri2, true);
  return at + OPEN_URI.length;
}

function writeOpenBlank(target: DataView, at: number): number {
  target.setFloat64(at, blank0, true);
  target.setFloat64(at + 8, blank1, true);
  target.setFloat64(at + 16, blank2, true);
  target.setFloat64(at + 24, blank3, true);
  return at + OPEN_BLANK.length;
}

function writeOpenLiteral(target: DataView, at: number): number {
  target.setFloat64(at, literal0, true);
  target.setFloat64(at + 8, literal1, true);
  target.setFloat64(at + 16, literal2, true);
  target.setFloat64(at + 24, literal3, true);
  return at + OPEN_LITERAL.length;
}

function writeLanguage(target: DataView, at: number): number {
  target.setFloat64(at, language0, true);
  target.setUint8(at + 8, QUOTE);
  return at + LANGUAGE.length;
}

function writeDirection(target: DataView, at: number): number {
  target.setFloat64(at, direction0, true);
  target.setFloat64(at + 8, direction1, true);
  return at + DIRECTION.length;
}

function writeDatatype(target: DataView, at: number): number {
  target.setFloat64(at, datatype0, true);
  target.setFloat64(at + 8, datatype1, true);
  return at + DATATYPE.length;
}

/** `--ltr` or `--rtl`. */
const DIRECTION_BYTES = 5;
const DASHES = 0x2d2d;
const COMMA = 0x2c;
const QUOTE = 0x22;
const CLOSE_OBJECT = 0x7d;
/** `"}`, the quote first. */
const CLOSE_STRING_OBJECT = 0x7d22;
const AT = 0x40;
const LESS_THAN = 0x3c;
const UNDERSCORE = 0x5f;
