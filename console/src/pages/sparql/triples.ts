import type { PictureEdge, PictureGraph, PictureNode } from '../../graph/model.ts';
import { pageOf } from '../../resources/address.ts';
import type { Prefixes } from '../../resources/prefixes.ts';
import { unescaped } from './solutions.ts';

/** More could neither be read in a picture nor be placed in reasonable time. */
export const MAX_EDGES = 150;

/** Reads the first lines of N-Triples, and leaves the rest unread. */
export async function firstTriples(response: Response): Promise<{ lines: string[]; hasMore: boolean }> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    text += value ?? '';
    const lines = text.split('\n');
    // What follows the last line feed is incomplete, or empty.
    const rest = lines.pop();
    if (done || lines.length > MAX_EDGES) {
      await reader.cancel();
      const complete = rest ? [...lines, rest] : lines;
      return { lines: complete.slice(0, MAX_EDGES), hasMore: complete.length > MAX_EDGES };
    }
  }
}

/** Draws each IRI and blank node once, and each literal for itself. */
export function pictureOf(lines: readonly string[], prefixes: Prefixes): PictureGraph {
  const nodes = new Map<string, PictureNode>();
  const edges: PictureEdge[] = [];
  for (const [index, line] of lines.entries()) {
    const [, subject, predicate, object] = /^(\S+) <([^>]*)> (.*?) \.\s*$/s.exec(line) ?? [];
    if (subject === undefined || predicate === undefined || object === undefined) continue;
    const target = nodeOf(object, `${index}`, prefixes);
    for (const node of [nodeOf(subject, '', prefixes), target]) nodes.set(node.id, node);
    edges.push({ from: subject, to: target.id, label: prefixes.shorten(predicate), title: predicate });
  }
  return { nodes: [...nodes.values()], edges };
}

function nodeOf(term: string, place: string, prefixes: Prefixes): PictureNode {
  if (term.startsWith('_:')) return { id: term, label: term, kind: 'blank' };
  if (term.startsWith('<') && !term.startsWith('<<(')) {
    const iri = term.slice(1, -1);
    return { id: term, label: prefixes.shorten(iri), title: iri, kind: 'resource', href: pageOf(iri) };
  }
  const label = unescaped(/^"(.*)"/s.exec(term)?.[1] ?? term);
  return { id: `${place} ${term}`, label, title: label, kind: 'literal' };
}
