/** In a process of its own: what Oxigraph alone needs to load the data set. Prints milliseconds. */
import { readFileSync } from 'node:fs';
import { namedNode, Store } from 'oxigraph';
import { GRAPH } from './person-data.ts';

const [file = ''] = process.argv.slice(2);
const data = readFileSync(file);
const store = new Store();
const began = performance.now();
store.load(data, { format: 'text/turtle', to_graph_name: namedNode(GRAPH) });
console.log(performance.now() - began);
