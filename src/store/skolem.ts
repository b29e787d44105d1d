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
const DOT = 0x2e;
const LINE_FEED = 0x0a;
const GREATER = 0x3e;

/** Quads (four ids each) as N-Quads. */
export function skolemQuads(quads: Uint32Array, terms: TermBytes): Uint8Array[] {
  const out = new ByteChunks();
  for (let i = 0; i < quads.length; i++) {
    const id = quads[i]!;
    writeTerm(out, terms.bytes, terms.start(id), terms.end(id));
    if (i % 4 === 3) endRow(out);
  }
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
    endRow(out);
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

function endRow(out: ByteChunks): void {
  out.byte(DOT);
  out.byte(LINE_FEED);
}
