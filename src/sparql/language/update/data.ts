import type { Quads } from '@traqula/rules-sparql-1-1';
import { TextQuads } from '../../../rdf/interning/text-quads.ts';
import type { QuadBlock } from '../../../rdf/model/quad-block.ts';
import { type DeclaredNames, placeOf } from './declared-names.ts';
import type { TemplateTerm } from './operations.ts';
import { syntaxError } from './syntax-error.ts';
import { templateQuads } from './templates.ts';

/**
 * Returns the quads of `INSERT DATA` and `DELETE DATA`; those outside of a GRAPH have no graph.
 * Error `parse-error`.
 */
export function dataBlock(quads: readonly Quads[], names: DeclaredNames, text: string): QuadBlock {
  const rows = new TextQuads(text.length);
  for (const { subject, predicate, object, graph } of templateQuads(quads, names)) {
    const [s, p, o] = [subject, predicate, object].map(textOf) as [string, string, string];
    if (s.startsWith('"')) throw syntaxError('A literal cannot be a subject', text, placeOf(quads[0]!).start);
    rows.add(s, p, o, graph && textOf(graph));
  }
  return rows.finish(true);
}

function textOf(term: TemplateTerm): string {
  if (term.kind === 'variable') throw new Error('The grammar of data has no variables.');
  return term.kind === 'constant' ? term.text : `_:${term.label}`;
}
