import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as, permissionArgs, type Seen, type Sent } from '../../support/restricted-client.ts';
import { BASE } from '../../support/server-process.ts';
import { sharedServer } from '../../support/shared-server.ts';

const PREFIXES = 'PREFIX e: <http://example.org/> PREFIX foaf: <http://xmlns.com/foaf/0.1/>\n';
const PROGRAM = `name = foaf:name :: xsd:string ; friends = (foaf:knows | ^foaf:knows)+ :: xsd:anyURI ;
  all = * :: xsd:string ; back = ^* :: xsd:string ;`;
const HIDDEN_ONLY = '@graph <urn:hidden/x> ; name = foaf:name :: xsd:string ;';
/** Constants that occur in hidden graphs alone. */
const CONSTANTS = 'a = ("D" | "A2" | "7"^^xsd:integer) :: xsd:string ; b = "7" :: xsd:int ;';
const ANNA = 'http://example.org/anna';

const escaped = encodeURIComponent;
const json = { 'Content-Type': 'application/json' };
const batch = (members: object): [string, Sent] => [
  '/ldpath/batch',
  { method: 'POST', headers: json, body: JSON.stringify(members) },
];
const post = (target: string, body: string): [string, Sent] => [target, { method: 'POST', body }];

/** Everything below `/ldpath` that reads data, about something visible and something hidden. */
function requestsFor(name: string): [string, Sent?][] {
  const uri = `uri=${escaped(`http://example.org/${name}`)}`;
  const of = (path: string) => `/ldpath/path?${uri}&path=${escaped(path)}`;
  const program = `/ldpath/program?${uri}`;
  return [
    [of('foaf:knows')],
    [of('(foaf:knows | ^foaf:knows)*')],
    [of('*')],
    [of('^*'), { headers: { 'If-None-Match': '*' } }],
    [of('.'), { method: 'HEAD' }],
    [of('.'), { headers: { Accept: 'image/png' } }],
    [of('.'), { headers: { 'If-Match': '"x"' } }],
    [of('foaf:knows[foaf:name is "B"]')],
    [of(`fn:iri("http://example.org/${name}")`)],
    [of('"Befund"@DE')],
    [of('.[fn:concat("", "D") is "D"]')],
    [`${program}&program=${escaped(PROGRAM)}`],
    [`${program}&program=${escaped(HIDDEN_ONLY)}`],
    [
      `${program}&program=${escaped('@filter is-a e:Person ; a = . ;')}&ns_e=${escaped('http://example.org/')}`,
    ],
    post(program, PROGRAM),
    post(`${program}&format=csv`, PROGRAM),
    [`/ldpath/programs/people/results?${uri}`],
    [`${program}&name=people&format=jsonld`],
    [`/ldpath/util/path?ctx=${escaped(`http://example.org/${name}`)}&path=.`],
    [`/ldpath/util/path?ctx=${escaped(`http://example.org/${name}`)}&path=${escaped('foaf:knows / ')}`],
    [`/ldpath/util/complete?uri=${escaped(`http://example.org/${name.slice(0, 2)}`)}`],
    post(`/ldpath/debug?context=${escaped(`http://example.org/${name}`)}&details`, PROGRAM),
    post(`/ldpath/debug?context=${escaped(`http://example.org/${name}`)}&trace`, PROGRAM),
    post(`/ldpath/debug?context=${escaped(`http://example.org/${name}`)}&trace`, CONSTANTS),
    batch({ uris: [`http://example.org/${name}`, ANNA], path: 'foaf:knows', ordered: true }),
    batch({ uris: [`http://example.org/${name}`], path: '*', missing: 'empty' }),
    batch({
      starts: { path: 'foaf:knows*', from: [`http://example.org/${name}`] },
      path: '.',
      ordered: true,
    }),
  ];
}

const sets: [string, Sent][] = [
  batch({ starts: { type: 'http://example.org/Person' }, path: 'foaf:name', ordered: true }),
  batch({ starts: { subjects: true }, path: '*', ordered: true }),
  batch({ starts: { subjects: true }, path: '*', ordered: true, limit: 1 }),
  batch({ starts: { graph: 'urn:open/a' }, path: 'foaf:knows', ordered: true }),
  batch({ starts: { graph: 'urn:hidden/x' }, path: 'foaf:knows', ordered: true }),
  batch({ name: 'people', ordered: true, format: 'csv' }),
  ...['dora', 'Cat', 'q', 'ben'].flatMap((name) => {
    const starts = { path: `fn:iri("http://example.org/${name}")`, from: ANNA };
    return [
      batch({ starts, path: '.', ordered: true }),
      batch({ starts, path: '.', ordered: true, limit: 1 }),
    ];
  }),
];

const others: [string, Sent?][] = [
  ['/ldpath/util/complete?prefix=e:&ns_e=http://example.org/'],
  ['/ldpath/util/complete?uri='],
  ['/ldpath/util/complete?uri=urn:'],
  ['/ldpath/util/namespaces'],
  ['/ldpath/util/prefix?prefix=foaf'],
  ['/ldpath/functions'],
  ['/ldpath/programs'],
  ['/ldpath/programs/people'],
  post('/ldpath/check', PROGRAM),
  [`/ldpath/path?uri=${escaped('urn:hidden/x')}&path=.`],
  [`/ldpath/path?uri=${escaped('urn:hidden/none')}&path=.`],
  [`/ldpath/path?uri=${escaped(`${BASE}/context/secret`)}&path=.`],
  [`/ldpath/path?uri=${escaped(`${BASE}/resource/secret`)}&path=.`],
];

/** Times, positions and cursors may differ (G-161). */
function settled({ body, headers, ...rest }: Seen): Seen {
  const text = body
    .replace(/"[a-z0-9]{8}\.\d+"/g, '"a position"')
    .replace(/"cursor":"[^"]+"/g, '"cursor"')
    .replace(/"(ms|milliseconds)":[\d.]+/g, '"$1"');
  return { ...rest, body: text, headers: headers.filter((each) => !/^(link|content-length)/.test(each)) };
}

describe('LDPath for a client that may read some graphs', () => {
  const server = sharedServer((scope) =>
    permissionArgs(scope, ['read user:anna urn:open/*', 'write user:anna urn:own/*']),
  );
  const root = () => as('root', server);
  const anna = () => as('anna', server);
  const at = (graph: string) => `/context?graph=${escaped(graph)}`;
  const put = (graph: string, body: string, status = 204) =>
    root().expect(status, at(graph), {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: PREFIXES + body,
    });
  const see = async (requests: readonly [string, Sent?][]) => {
    const seen: [string, Seen][] = [];
    for (const [target, sent] of requests) {
      seen.push([`${target} ${JSON.stringify(sent)}`, settled(await anna().see(target, sent))]);
    }
    return seen;
  };
  const storeProgram = (name: string, body: string) =>
    root().send(`/ldpath/programs/${name}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain' },
      body,
    });
  const resultOf = async (client: ReturnType<typeof as>, path: string) =>
    (await client.send(`/ldpath/path?uri=${escaped(ANNA)}&path=${escaped(path)}`)).json();

  it('G-161: hidden graphs change no byte of what is evaluated', async () => {
    await put('urn:open/a', 'e:anna a e:Person ; foaf:name "A" ; foaf:knows e:ben .', 201);
    await put(
      'urn:own/b',
      'e:ben a e:Person ; foaf:name "B" ; foaf:knows e:cem . e:cem foaf:name "C" .',
      201,
    );
    await storeProgram('people', PROGRAM);
    const requests = [...['anna', 'dora'].flatMap(requestsFor), ...sets, ...others];
    const before = await see(requests);
    assert.ok(before.some(([, { status, body }]) => status === 200 && body.includes('ben')));
    const unaltered = async () => assert.deepEqual(await see(requests), before);
    await put('urn:hidden/x', 'e:dora a e:Person ; foaf:name "D" ; foaf:knows e:anna, e:ben .', 201);
    await put(
      'urn:hidden/y',
      'e:anna foaf:name "A2" ; foaf:knows e:dora ; e:p e:q, "Befund"@de, 7, "7" . e:ben a e:Cat .',
      201,
    );
    await unaltered();
    await put('urn:hidden/y', 'e:anna a e:Person ; foaf:knows e:ben . e:Person foaf:name "P" .');
    await put(`${BASE}/context/secret`, 'e:anna foaf:knows <urn:hidden/x> .', 201);
    await root().send('/resource/secret', { method: 'POST' });
    await root().expect(200, at('urn:hidden/x'), { method: 'DELETE' });
    await unaltered();
  });

  it('G-165: results have no entity tag, and no condition is met', async () => {
    await put('urn:open/tags', 'e:tagged foaf:name "T" .', 201);
    const target = `/ldpath/path?uri=${escaped('http://example.org/tagged')}&path=foaf:name`;
    const whole = await root().expect(200, target);
    const tag = whole.headers.get('etag');
    assert.ok(tag);
    assert.equal((await root().send(target, { headers: { 'If-None-Match': tag } })).status, 304);
    for (const headers of [{}, { 'If-None-Match': tag }, { 'If-None-Match': '*' }]) {
      const own = await anna().expect(200, target, { headers });
      assert.equal(own.headers.get('etag'), null);
      assert.equal(await own.text(), '[{"type":"literal","value":"T"}]');
    }
  });

  it('G-161: evaluations of different clients do not meet in a micro-batch', async () => {
    await put('urn:open/together', 'e:anna foaf:nick "seen" .', 201);
    await put('urn:hidden/together', 'e:anna foaf:nick "secret" .', 201);
    const both = await Promise.all(
      Array.from({ length: 200 }, (_, i) => resultOf(i % 2 === 0 ? root() : anna(), 'foaf:nick')),
    );
    const values = both.map((result) => (result as { value: string }[]).map(({ value }) => value));
    for (const [i, each] of values.entries()) {
      assert.deepEqual(each, i % 2 === 0 ? ['seen', 'secret'] : ['seen']);
    }
  });

  it('G-164: stored programs are written only by clients that may write all graphs', async () => {
    await storeProgram('shared', 'a = . ;');
    const text = { 'Content-Type': 'text/plain' };
    const refusals: [string, Sent][] = [
      ['/ldpath/programs/shared', { method: 'PUT', headers: text, body: 'b = . ;' }],
      ['/ldpath/programs/none', { method: 'PUT', headers: text, body: 'b = . ;' }],
      ['/ldpath/programs/shared', { method: 'DELETE' }],
      ['/ldpath/programs/none', { method: 'DELETE' }],
    ];
    for (const [target, sent] of refusals) {
      const refused = await anna().expect(403, target, sent);
      assert.equal(((await refused.json()) as { code: string }).code, 'forbidden');
    }
    assert.equal(await (await anna().expect(200, '/ldpath/programs/shared')).text(), 'a = . ;');
  });

  it('P-28: a cursor is only for clients that see the same graphs', async () => {
    await put('urn:open/pages', 'e:p1 e:paged 1 . e:p2 e:paged 2 . e:p3 e:paged 3 .', 201);
    const first = { starts: { graph: 'urn:open/pages' }, path: '.', ordered: true, limit: 1 };
    const read = async (client: ReturnType<typeof as>, cursor?: string) => {
      const response = await client.send(...batch({ ...first, ...(cursor && { cursor }) }));
      const lines = (await response.text()).trim().split('\n');
      return {
        status: response.status,
        lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>),
      };
    };
    for (const [own, other] of [
      [anna(), root()],
      [root(), anna()],
    ] as const) {
      const { lines } = await read(own);
      const cursor = lines.at(-1)!['cursor'] as string;
      const next = await read(own, cursor);
      assert.equal(next.lines[1]!['uri'], 'http://example.org/p2');
      const refused = await read(other, cursor);
      assert.equal(refused.status, 400);
      assert.equal(refused.lines[0]!['code'], 'bad-arguments');
    }
  });
});
