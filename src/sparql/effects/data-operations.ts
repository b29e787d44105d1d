import type { QuadBlock } from '../../rdf/model/quad-block.ts';
import { BlockRows } from './block-rows.ts';
import type { UpdatedData } from './updated-data.ts';

/** `INSERT DATA`. Error `too-large`. */
export function insertData(data: UpdatedData, block: QuadBlock): void {
  const rows = new BlockRows(block, data.terms);
  const { quads } = rows;
  for (let at = 0; at < quads.length; at += 4) {
    const graph = data.graphId(rows.graph(quads[at + 3]!) ?? data.settings.defaultGraph);
    data.add(rows.id(quads[at]!), rows.id(quads[at + 1]!), rows.id(quads[at + 2]!), graph);
  }
}

/** `DELETE DATA`. Error `too-large`. */
export function deleteData(data: UpdatedData, block: QuadBlock): void {
  const { defaultGraphIs, defaultGraph } = data.settings;
  const rows = new BlockRows(block, data.terms);
  const { quads } = rows;
  for (let at = 0; at < quads.length; at += 4) {
    const triple = [rows.id(quads[at]!), rows.id(quads[at + 1]!), rows.id(quads[at + 2]!)] as const;
    const name = rows.graph(quads[at + 3]!) ?? (defaultGraphIs === 'default' ? defaultGraph : undefined);
    const graphs = name === undefined ? data.graphsWith(...triple) : [data.graphId(name)];
    for (const graph of graphs) data.remove(...triple, graph);
  }
}
