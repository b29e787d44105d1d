/**
 * Answers like an empty core of Apache Solr that accepts every update, and keeps nothing. Prints
 * its port; so what is measured is the indexer, not the search server.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const empty = JSON.stringify({ doc: null });
const accepted = JSON.stringify({ responseHeader: { status: 0 } });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.setHeader('Content-Type', 'application/json');
    response.end(request.method === 'GET' ? empty : accepted);
  });
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
