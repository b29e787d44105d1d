/**
 * Another engine with uWebSockets.js as its HTTP server, which evaluates the path of two steps to
 * JSON: `peer-server oxigraph|n3|comunica FILE`. Prints its port.
 */

import { App, us_socket_local_port } from 'uWebSockets.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Store as N3Store, Parser } from 'n3';
import { namedNode, Store } from 'oxigraph';
import { FOAF, GRAPH } from '../data/person-data.ts';

/** The names of those whom a person knows, as JSON. */
type Answer = (person: string) => string | Promise<string>;

const KNOWS = `${FOAF}knows`;
const NAME = `${FOAF}name`;

const engines: Readonly<Record<string, (turtle: string) => Answer>> = {
  oxigraph(turtle) {
    const store = new Store();
    store.load(turtle, { format: 'text/turtle', to_graph_name: namedNode(GRAPH), lenient: true });
    return (person) => store.query(query(person, `GRAPH <${GRAPH}>`), { results_format: 'json' }) as string;
  },
  n3(turtle) {
    const store = new N3Store(new Parser().parse(turtle));
    return (person) => {
      const friends = store.getObjects(person, KNOWS, null);
      return JSON.stringify(friends.flatMap((friend) => store.getObjects(friend, NAME, null)));
    };
  },
  comunica(turtle) {
    const { QueryEngine } = createRequire(`${process.cwd()}/bench/peers/comunica/package.json`)(
      '@comunica/query-sparql-rdfjs',
    ) as { QueryEngine: new () => ComunicaEngine };
    const engine = new QueryEngine();
    const sources = [new N3Store(new Parser().parse(turtle))];
    return async (person) => {
      const bindings = await engine.queryBindings(query(person, ''), { sources });
      return JSON.stringify((await bindings.toArray()).map((binding) => binding.get('v')));
    };
  },
};

interface ComunicaEngine {
  queryBindings(
    query: string,
    context: { readonly sources: readonly unknown[] },
  ): Promise<{ toArray(): Promise<{ get(name: string): unknown }[]> }>;
}

function query(person: string, where: string): string {
  return `SELECT DISTINCT ?v { ${where} { <${person}> <${KNOWS}>/<${NAME}> ?v } }`;
}

const [engine = '', file = ''] = process.argv.slice(2);
const answer = engines[engine]!(readFileSync(file, 'utf8'));

App()
  .get('/path', (response, request) => {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    const person = decodeURIComponent(request.getQuery('uri') ?? '');
    void Promise.resolve(answer(person)).then((json) => {
      if (aborted) return;
      response.cork(() => response.writeHeader('Content-Type', 'application/json').end(json));
    });
  })
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port');
    console.log(us_socket_local_port(socket));
  });
