/**
 * In a process of its own: what Oxigraph alone needs to load the data set. Prints a line of JSON: milliseconds, and bytes
 * by which the process has grown.
 */
import { readFileSync } from 'node:fs';
import { namedNode, Store } from 'oxigraph';
import { GRAPH } from '../data/person-data.ts';

const [file = ''] = process.argv.slice(2);
const data = readFileSync(file);
const store = new Store();
const before = process.memoryUsage.rss();
const began = performance.now();
store.load(data, { format: 'text/turtle', to_graph_name: namedNode(GRAPH) });
const milliseconds = performance.now() - began;
console.log(JSON.stringify({ milliseconds, grownBytes: process.memoryUsage.rss() - before }));
