/** The front end with replies that are kept in memory, as those to LDP resources are: `/` and, for 304, `/304`. Prints its port. */
import { HeaderLines } from '../src/http/header-lines.ts';
import type { HttpReply } from '../src/http/message.ts';
import { Router } from '../src/http/router.ts';
import { startServer } from '../src/http/uws-server.ts';

const body = Buffer.from('<http://a/x> <http://purl.org/dc/terms/title> "A small document" .\n'.repeat(5));
const lines = new HeaderLines([
  ['ETag', '"0123456789abcdef0123456789abcdef-ttl"'],
  ['Last-Modified', 'Fri, 20 Nov 2026 10:00:00 GMT'],
  ['Link', '<http://www.w3.org/ns/ldp#Resource>; rel="type"'],
  ['Link', '<http://www.w3.org/ns/ldp#RDFSource>; rel="type"'],
  ['Link', '<http://localhost:8080/constraints>; rel="http://www.w3.org/ns/ldp#constrainedBy"'],
  ['Allow', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'],
  ['Accept-Patch', 'application/rdf-patch, text/turtle'],
  ['Accept-Post', 'text/turtle, application/ld+json'],
  ['Vary', 'Accept, Prefer'],
  ['Cache-Control', 'no-cache'],
]);
const type = [['Content-Type', 'text/turtle']] as const;
const whole: HttpReply = { status: 200, headers: type, lines, body };
const notModified: HttpReply = { status: 304, headers: [], lines };
const router = new Router([
  { path: '/', methods: { GET: () => whole } },
  { path: '/304', methods: { GET: () => notModified } },
]);

const server = await startServer({
  host: '127.0.0.1',
  port: 0,
  basePath: '',
  allowOrigins: [],
  bodyTimeMs: 30_000,
  maxBodiesHeld: 2 ** 20,
  maxAnswersHeld: 2 ** 20,
  log: { error: (_details, message) => console.error(message) },
  handle: (request) => router.handle(request),
});
console.log(server.port);
