import { RowQuads } from '../../../rdf/model/row-quads.ts';
import type { TermId } from '../../../rdf/model/term-id.ts';
import { OverlayTerms } from '../../../snapshot/dictionary/overlay.ts';
import type { UpdatedData } from '../../effects/updated-data.ts';
import type { Oxigraph } from '../../instance.ts';
import type { GraphQuads, GraphSource } from '../merged-store.ts';

/** Returns the graphs after the operations of an update so far. */
export function updatedGraphs(oxigraph: Oxigraph, data: UpdatedData): GraphSource {
  const { reader } = data;
  const terms = new OverlayTerms(reader.terms, data.terms.added());
  const graph = (name: string): GraphQuads => {
    const id = data.graphId(name);
    if (data.isUntouched(id)) return { count: reader.graphSize(id), quads: reader.graphCursor(id) };
    const rows = data.quadsOf(id);
    return { count: rows.length / 4, quads: new RowQuads(reader.terms, rows) };
  };
  return { oxigraph, reader, text: (id: TermId) => terms.text(id), graph };
}
