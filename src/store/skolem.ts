/**
 * Blank nodes on their way into Oxigraph, whose loader gives every blank node a new label: we could not find ours again.
 * So the record holds an IRI in a blank node's place (RDF 1.1 Concepts section 3.5). Its prefix is random, made
 * anew in every process, so that it can't clash with anybody's data; it never leaves this thread.
 */
import { randomUUID } from 'node:crypto';
import type { TermBytes } from '../graph/path-graph.ts';
import type { TermId } from '../graph/term-id.ts';
import { ByteChunks } from './byte-chunks.ts';
import { newBounds, scanQuad } from './quad-scanner.ts';
import { termText } from './term-text.ts';

const PREFIX = `urn:uuid:${randomUUID()}:`;
const opening = Buffer.from(`<${PREFIX}`);
const UNDERSCORE = 0x5f;
const SPACE = 0x20;
const COMMA = 0x2c;
const DOT = 0x2e;
const SEMICOLON = 0x3b;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const LINE_FEED = 0x0a;
const GREATER = 0x3e;

/**
 * Quads (four ids each) as TriG that says no graph, subject or predicate twice in a row: that is half as long as N-Quads, and
 * Oxigraph reads it a tenth faster. It has many lines, for Oxigraph is slow with long ones.
 */
export function skolemTrig(quads: Uint32Array, terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks();
  const write = (id: TermId) => writeTerm(out, terms.bytes, terms.start(id), terms.end(id));
  let subject = 0;
  let predicate = 0;
  let graph = 0;
  for (let i = 0; i < quads.length; i += 4) {
    if (quads[i + 3] !== graph) {
      if (graph !== 0) endGraph(out);
      graph = quads[i + 3]!;
      write(graph);
      endLine(out, OPENING_BRACE);
      write(quads[i]!);
      write(quads[i + 1]!);
    } else if (quads[i] !== subject) {
      endLine(out, DOT);
      write(quads[i]!);
      write(quads[i + 1]!);
    } else if (quads[i + 1] !== predicate) {
      endLine(out, SEMICOLON);
      write(quads[i + 1]!);
    } else {
      endLine(out, COMMA);
    }
    subject = quads[i]!;
    predicate = quads[i + 1]!;
    write(quads[i + 2]!);
  }
  if (graph !== 0) endGraph(out);
  return out.finish();
}

/** Whole lines of canonical N-Quads; as they are when there is no blank node in them. */
export function skolemLines(lines: Uint8Array): Uint8Array[] {
  if (Buffer.from(lines.buffer, lines.byteOffset, lines.length).indexOf('_:') === -1) return [lines];
  const out = new ByteChunks();
  const bounds = newBounds();
  for (let at = 0; at < lines.length; ) {
    at = scanQuad(lines, at, bounds);
    for (let i = 0; i < 8; i += 2) writeTerm(out, lines, bounds[i]!, bounds[i + 1]!);
    endLine(out, DOT);
  }
  return out.finish();
}

/** The canonical form of a term. */
export function skolemText(terms: TermBytes, id: TermId): string {
  const text = termText(terms, id);
  return text.startsWith('_:') ? `<${PREFIX}${text.slice(2)}>` : text;
}

/** N-Quads of the record with blank nodes again. */
export function unskolemised(nquads: string): string {
  return nquads.replaceAll(new RegExp(`<${PREFIX}([^>]+)>`, 'g'), '_:$1');
}

function writeTerm(out: ByteChunks, bytes: Uint8Array, start: number, end: number): void {
  if (bytes[start] === UNDERSCORE) {
    out.copy(opening, 0, opening.length);
    out.copy(bytes, start + 2, end);
    out.byte(GREATER);
  } else {
    out.copy(bytes, start, end);
  }
  out.byte(SPACE);
}

function endGraph(out: ByteChunks): void {
  endLine(out, DOT);
  endLine(out, CLOSING_BRACE);
}

function endLine(out: ByteChunks, sign: number): void {
  out.byte(sign);
  out.byte(LINE_FEED);
}
