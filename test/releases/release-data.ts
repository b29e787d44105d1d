/** What the data directory of a release has, and how its contents are read. */

/** A request that changes the data. */
interface Write {
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const TURTLE = 'text/turtle';
const ex = 'http://example.org/';
const graph = (name: string) => `/context?graph=${encodeURIComponent(ex + name)}`;
const container = { Link: '<http://www.w3.org/ns/ldp#BasicContainer>; rel="type"' };
const people = `@prefix ex: <${ex}> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
  ex:anna a foaf:Person ; foaf:name "Anna"@en-GB, "Анна"@ru ; foaf:knows [ foaf:name "Ben" ] ;
    ex:likes ( "tea" 1 2.5 true ) ; ex:born "1990-01-02"^^<http://www.w3.org/2001/XMLSchema#date> .
  ex:ben a foaf:Person ; foaf:name "Ben" .`;
/** Large enough to be worked out as a big write, as the server is set up for this. */
const many = Array.from({ length: 60 }, (_, i) => `<${ex}item/${i}> <${ex}number> ${i} .`).join('\n');

/** Before the checkpoint, which is made as soon as these are done. */
export const early: readonly Write[] = [
  { path: graph('people'), type: TURTLE, body: people },
  { path: graph('items'), type: TURTLE, body: many },
  { path: graph('empty'), type: TURTLE, body: '' },
  { path: graph('dropped'), type: TURTLE, body: `<${ex}x> <${ex}p> "gone" .` },
  { method: 'DELETE', path: graph('dropped') },
  { path: graph('items'), type: TURTLE, body: many.split('\n').slice(10).join('\n') },
  { path: '/context/local', type: TURTLE, body: `<${ex}local> <${ex}p> "1", "2" .` },
  { method: 'POST', path: `/resource?uri=${encodeURIComponent(`${ex}made`)}` },
  { path: `/content/text/plain?uri=${encodeURIComponent(`${ex}anna`)}`, type: 'text/plain', body: 'Anna.' },
  {
    path: '/ldpath/programs/names',
    type: 'application/json',
    body: JSON.stringify({
      program: '@prefix foaf : <http://xmlns.com/foaf/0.1/> ;\nname = foaf:name :: xsd:string ;',
      starts: { type: 'http://xmlns.com/foaf/0.1/Person' },
    }),
  },
  { path: '/ldpath/programs/old', type: 'text/plain', body: 'name = <urn:x:name> :: xsd:string ;' },
  { method: 'DELETE', path: '/ldpath/programs/old' },
  {
    path: '/ldp/box/',
    type: TURTLE,
    headers: container,
    body: '<> <http://purl.org/dc/terms/title> "Box" .',
  },
  { path: '/ldp/box/note', type: TURTLE, body: '<> <http://purl.org/dc/terms/title> "Note" .' },
  { path: '/ldp/box/text', type: 'text/plain', body: 'Binary.' },
  { path: '/ldp/box/removed', type: TURTLE, body: '' },
  { method: 'DELETE', path: '/ldp/box/removed' },
];

/** After it: these are in the journal alone. */
export const late: readonly Write[] = [
  {
    method: 'POST',
    path: '/update',
    type: 'application/sparql-update',
    body: `DELETE DATA { GRAPH <${ex}people> { <${ex}ben> <http://xmlns.com/foaf/0.1/name> "Ben" } } ;
      INSERT DATA { GRAPH <${ex}people> { <${ex}ben> <http://xmlns.com/foaf/0.1/name> "Benjamin" } }`,
  },
  {
    path: graph('star'),
    type: TURTLE,
    body: `<${ex}s> <${ex}says> <<( <${ex}a> <${ex}b> "c"@en-US--ltr )>> .`,
  },
  { path: graph('items2'), type: TURTLE, body: many },
  { method: 'DELETE', path: graph('items2') },
  {
    path: `/content/image/png?uri=${encodeURIComponent(`${ex}ben`)}`,
    type: 'image/png',
    body: '\u0001\u0002',
  },
  { path: '/ldp/box/note', type: TURTLE, headers: { 'If-Match': '*' }, body: '<> <urn:x:p> "changed" .' },
  { path: '/ldp/box/second', type: TURTLE, body: '<> <urn:x:p> "new" .' },
  { method: 'DELETE', path: `/resource?uri=${encodeURIComponent(`${ex}local`)}` },
];

export async function send(url: string, writes: readonly Write[]): Promise<void> {
  for (const { method = 'PUT', path, type, headers, body } of writes) {
    const init: RequestInit = {
      redirect: 'manual',
      method,
      headers: { ...(type !== undefined && { 'Content-Type': type }), ...headers },
      ...(body !== undefined && { body }),
    };
    const response = await fetch(url + path, init);
    if (response.status >= 400)
      throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  }
}

const LISTED = ['/context/list?labels', '/ldpath/programs'];
const READ = [
  ...['people', 'items', 'empty', 'dropped', 'star', 'items2'].map(graph),
  '/context/local',
  `/resource?uri=${encodeURIComponent(`${ex}anna`)}`,
  `/resource?uri=${encodeURIComponent(`${ex}made`)}`,
  `/content/text/plain?uri=${encodeURIComponent(`${ex}anna`)}`,
  `/content/image/png?uri=${encodeURIComponent(`${ex}ben`)}`,
  '/ldpath/programs/names',
  '/ldpath/programs/names/results',
  '/ldpath/programs/old',
  ...['', 'box/', 'box/note', 'box/text', 'box/second', 'box/removed'].map((name) => `/ldp/${name}`),
];
/** What stays the same as long as the data do. */
const KEPT_HEADERS = ['etag', 'last-modified'];

/** Reads everything that clients can see, with entity tags and dates. */
export async function dump(url: string): Promise<string> {
  const parts: string[] = [];
  for (const path of LISTED) parts.push(await section(url, path, 'application/json', []));
  for (const path of READ) parts.push(await section(url, path, acceptOf(path), KEPT_HEADERS));
  const all = await section(url, '/dataset', 'application/n-quads', []);
  parts.push(all, await section(url, '/changes?since=0&rows', 'application/x-ndjson', []));
  return parts.join('\n');
}

function acceptOf(path: string): string {
  if (path.startsWith('/ldpath/')) return 'application/json';
  return path.startsWith('/context') ? 'application/n-triples' : 'text/turtle, */*;q=0.1';
}

async function section(url: string, path: string, accept: string, headers: readonly string[]) {
  const response = await fetch(url + path, { headers: { Accept: accept }, redirect: 'manual' });
  const lines = headers.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [`${name}: ${value}`];
  });
  // Errors have the id of the request.
  const body = response.ok ? await response.text() : '';
  if (!response.ok) await response.body?.cancel();
  return [`== GET ${path}: ${response.status}`, ...lines, '', body].join('\n').replaceAll(url, '{url}');
}
