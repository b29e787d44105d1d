/**
 * In a process of its own: loads the data set into a bare Oxigraph, and prints the milliseconds
 * that it took.
 */
import { readFileSync } from 'node:fs';
import { namedNode, Store } from 'oxigraph';
import { GRAPH } from '../data/person-data.ts';

const [file = ''] = process.argv.slice(2);
const data = readFileSync(file);
const store = new Store();
const began = performance.now();
store.load(data, { format: 'text/turtle', to_graph_name: namedNode(GRAPH) });
console.log(performance.now() - began);
