import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { EventReader, type ReceivedEvent } from '../../support/event-reader.ts';
import { as, permissionArgs } from '../../support/restricted-client.ts';
import { sharedServer } from '../../support/shared-server.ts';

const PREFIXES = 'PREFIX e: <http://example.org/> PREFIX foaf: <http://xmlns.com/foaf/0.1/>\n';
const PROGRAM = 'friends = foaf:knows / foaf:name :: xsd:string ; back = ^* :: xsd:string ;';
const turtle = { 'Content-Type': 'text/turtle' };
const escaped = encodeURIComponent;

type Line = Record<string, unknown>;

/** A line without the numbers of commits and the time, which may differ (G-161). */
function settled(line: Line): Line {
  const { position: _, commit: __, time: ___, ...rest } = line;
  return rest;
}

describe('change feeds for a client that may read some graphs', () => {
  const server = sharedServer((scope) =>
    permissionArgs(scope, [
      'read user:anna urn:open/* /ldp /ldp/box /ldp/box/open* /ldp/shown /ldp/twin',
      'write user:anna urn:own/*',
    ]),
  );
  const root = () => as('root', server);
  const anna = () => as('anna', server);
  const put = (graph: string, body: string, method = 'PUT') =>
    root().send(`/context?graph=${escaped(graph)}`, { method, headers: turtle, body: PREFIXES + body });
  const drop = (graph: string) => root().send(`/context?graph=${escaped(graph)}`, { method: 'DELETE' });
  const read = async (client: ReturnType<typeof as>, target: string): Promise<Line[]> => {
    const text = await (await client.expect(200, target)).text();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  };
  const position = async () => (await read(anna(), '/changes'))[0]!['position'] as string;
  const authorized = { Authorization: `Basic ${Buffer.from('anna:anna').toString('base64')}` };
  const open = (target: string) => EventReader.open(server.url + target, authorized);

  it('G-161: hidden commits and rows are left out, and hidden graphs are like missing ones', async () => {
    const since = await position();
    await put('urn:hidden/x', 'e:a e:p 1, 2, 3 .');
    await put('urn:open/x', 'e:a e:p 1 .');
    await put('urn:hidden/y', 'e:a e:p 4 .');
    await root().send('/sparql/update', {
      method: 'POST',
      headers: { 'Content-Type': 'application/sparql-update' },
      body: `INSERT DATA { GRAPH <urn:hidden/x> { <urn:s> <urn:p> 1 } GRAPH <urn:own/x> { <urn:s> <urn:p> 2 } }`,
    });
    const lines = await read(anna(), `/changes?since=${since}&rows`);
    assert.deepEqual(lines.map(settled), [
      {
        graphs: [{ graph: 'urn:open/x', added: 1, removed: 0 }],
        patch:
          'A <http://example.org/a> <http://example.org/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:open/x> .\n',
        part: 1,
      },
      {
        graphs: [{ graph: 'urn:own/x', added: 1, removed: 0 }],
        patch: 'A <urn:s> <urn:p> "2"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:own/x> .\n',
        part: 1,
      },
      {},
    ]);
    const counted = await read(anna(), `/changes?since=${since}`);
    assert.deepEqual(
      counted.map(settled),
      lines.map(({ graphs }) => (graphs ? { graphs } : {})),
    );
    const hidden = await read(anna(), `/changes?since=${since}&graph=urn:hidden/x&rows`);
    assert.deepEqual(hidden, await read(anna(), `/changes?since=${since}&graph=urn:none&rows`));
    assert.equal((await read(root(), `/changes?since=${since}`)).length, 4);
  });

  it('G-166: lines end alike, whether or not hidden commits follow', async () => {
    const since = await position();
    await put('urn:open/end', 'e:a e:p 1 .');
    const lines = await read(anna(), `/changes?since=${since}`);
    const limited = await read(anna(), `/changes?since=${since}&limit=1`);
    await put('urn:hidden/end', 'e:a e:p 1 .');
    await put('urn:hidden/end', 'e:a e:p 2 .');
    const after = await read(anna(), `/changes?since=${since}`);
    assert.deepEqual(after.map(settled), lines.map(settled));
    assert.equal(lines.length, 2);
    assert.equal(after[1]!['position'], await position());
    assert.deepEqual(await read(anna(), `/changes?since=${since}&limit=1`), limited);
  });

  it('G-161: events come for visible changes alone', async () => {
    const events = await open('/changes');
    await put('urn:hidden/events', 'e:a e:p 1 .');
    await put('urn:open/events', 'e:a e:p 1 .');
    const { data } = (await events.next())!;
    events.close();
    assert.deepEqual(settled(data), { graphs: [{ graph: 'urn:open/events', added: 1, removed: 0 }] });
  });

  it('G-161: clients at one place of a program get what each of them may read', async () => {
    await root().send('/ldpath/programs/friends', {
      method: 'PUT',
      body: PROGRAM,
      headers: { 'Content-Type': 'text/plain' },
    });
    await put('urn:open/people', 'e:anna foaf:knows e:ben . e:ben foaf:name "B" .');
    await put('urn:hidden/people', 'e:ben foaf:name "Hidden" .');
    const since = await position();
    await put(
      'urn:hidden/people',
      'e:ben foaf:name "Other" . e:anna foaf:knows e:cem . e:cem foaf:name "C" .',
    );
    const target = `/ldpath/programs/friends/changes?since=${since}`;
    const [own, whole] = await Promise.all([read(anna(), target), read(root(), target)]);
    assert.deepEqual(own.map(settled), [{}]);
    assert.ok(whole.length > 1);
    await put('urn:open/people', 'e:anna foaf:knows e:ben, e:cem . e:ben foaf:name "B2" .');
    const changed = await read(anna(), target);
    const results = new Map(changed.slice(0, -1).map(({ uri, result }) => [uri, result]));
    const friends = results.get('http://example.org/anna') as { friends: unknown[] };
    assert.deepEqual(friends.friends, [{ type: 'literal', value: 'B2' }]);
    assert.ok(!results.has('http://example.org/cem'));
  });

  it('G-166: many hidden rows neither cause results to be read anew nor leave lines', async () => {
    await root().send('/ldpath/programs/names', {
      method: 'PUT',
      body: 'name = foaf:name :: xsd:string ;',
      headers: { 'Content-Type': 'text/plain' },
    });
    await put('urn:open/many', 'e:one foaf:name "1" .');
    const since = await position();
    const many = Array.from({ length: 7_000 }, (_, i) => `<urn:m${i}> foaf:name ${i} .`).join('\n');
    // Together they are more than a job reads from memory.
    for (const graph of ['urn:hidden/many', 'urn:hidden/more']) await put(graph, many);
    await put('urn:open/many', 'e:one foaf:name "2" .');
    const lines = await read(anna(), `/ldpath/programs/names/changes?since=${since}`);
    assert.deepEqual(
      lines.map(({ uri, resync }) => ({ uri, resync })),
      [
        { uri: 'http://example.org/one', resync: undefined },
        { uri: undefined, resync: undefined },
      ],
    );
    await drop('urn:hidden/many');
  });

  it('G-166: many hidden rows add no line for a result that is the same', async () => {
    await root().send('/ldpath/programs/nicks', {
      method: 'PUT',
      body: 'nick = foaf:nick :: xsd:string ;',
      headers: { 'Content-Type': 'text/plain' },
    });
    await put('urn:open/nicks', 'e:only foaf:nick "1" .');
    const since = await position();
    const target = `/ldpath/programs/nicks/changes?since=${since}`;
    await drop('urn:open/nicks');
    await put('urn:open/nicks', 'e:only foaf:nick "1" .');
    const before = await read(anna(), target);
    assert.deepEqual(before.map(settled), [{}]);
    const many = Array.from({ length: 7_000 }, (_, i) => `<urn:n${i}> foaf:nick ${i} .`).join('\n');
    for (const graph of ['urn:hidden/nicks', 'urn:hidden/others']) await put(graph, many);
    assert.deepEqual((await read(anna(), target)).map(settled), [{}]);
    for (const graph of ['urn:hidden/nicks', 'urn:hidden/others']) await drop(graph);
  });

  it('G-161: watching a graph tells nothing about what else a commit changes', async () => {
    await put('urn:open/watched', 'e:a e:p 1 .');
    const watched = await open(`/context?graph=${escaped('urn:open/watched')}&watch`);
    await put('urn:hidden/watched', 'e:a e:p 1, 2 .');
    await put('urn:open/watched', 'e:a e:p 1, 2 .');
    const { data } = (await watched.next()) as ReceivedEvent;
    watched.close();
    assert.deepEqual(settled(data), { added: 1, removed: 0 });
  });

  it('G-166: a watched container has no event for a member that is hidden', async () => {
    const create = (path: string, body = '') =>
      root().expect(201, path, { method: 'PUT', headers: turtle, body });
    await create('/ldp/box', '<> a <http://www.w3.org/ns/ldp#BasicContainer> .');
    const whole = await EventReader.open(`${server.url}/ldp/box?watch`, {
      Authorization: `Basic ${Buffer.from('root:root').toString('base64')}`,
    });
    const own = await open('/ldp/box?watch');
    await create('/ldp/box/hidden');
    await create('/ldp/box/open');
    await root().expect(204, '/ldp/box/hidden', { method: 'DELETE' });
    await root().expect(204, '/ldp/box/open', { method: 'DELETE' });
    const next = async (events: EventReader) => settled((await events.next())!.data);
    const seen = [await next(whole), await next(whole), await next(whole), await next(whole)];
    assert.deepEqual([await next(own), await next(own)], [seen[1], seen[3]]);
    own.close();
    whole.close();
  });

  it('G-166: resources that show membership triples have no event for a hidden child', async () => {
    const create = (path: string, body = '') =>
      root().expect(201, path, { method: 'PUT', headers: turtle, body });
    const change = (path: string, body: string) =>
      root().expect(200, path, { method: 'PUT', headers: { ...turtle, 'If-Match': '*' }, body });
    const ldp = 'http://www.w3.org/ns/ldp#';
    const container = (more: string) =>
      `<> a <${ldp}DirectContainer> ; <${ldp}membershipResource> </ldp/shown> ${more} .`;
    await create('/ldp/shown');
    await create('/ldp/hidden', container(''));
    await create('/ldp/twin', container(''));
    await create('/ldp/inverse', container(`; <${ldp}isMemberOfRelation> <urn:r>`));
    await create(
      '/ldp/typed',
      container(`; <${ldp}hasMemberRelation> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>`),
    );
    const watched = [await open('/ldp/shown?watch'), await open('/ldp/twin?watch')];
    for (const name of ['hidden', 'inverse', 'typed']) {
      await create(`/ldp/${name}/secret`);
      await root().expect(204, `/ldp/${name}/secret`, { method: 'DELETE' });
    }
    await change('/ldp/shown', '<> <urn:p> 1, 2 .');
    await change('/ldp/twin', container('; <urn:p> 1, 2'));
    for (const events of watched) {
      assert.deepEqual(settled((await events.next())!.data), { added: 3, removed: 1 });
      events.close();
    }
  });
});
