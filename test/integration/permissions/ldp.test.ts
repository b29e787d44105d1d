import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { as, permissionArgs, requireUnaltered, type Sent } from '../../support/restricted-client.ts';
import { BASE } from '../../support/server-process.ts';
import { sharedServer } from '../../support/shared-server.ts';

const turtle = { 'Content-Type': 'text/turtle' };
const PREFIXES = 'PREFIX ldp: <http://www.w3.org/ns/ldp#> PREFIX ex: <urn:ex:>\n';
const RULES = [
  'read user:anna /ldp /ldp/open/* /ldp/direct /ldp/indirect /ldp/hub',
  'write user:anna /ldp/anna/* /ldp/box /ldp/box/pub* /ldp/direct/own*',
];

/** Requests about one resource that change nothing for a client that does not see it. */
function waysTo(path: string): [string, Sent?][] {
  const patch = { 'Content-Type': 'application/rdf-patch' };
  return [
    [path],
    [path, { headers: { Accept: 'application/ld+json' } }],
    [
      path,
      { headers: { Prefer: 'return=representation; omit="http://www.w3.org/ns/ldp#PreferContainment"' } },
    ],
    [path, { method: 'HEAD' }],
    [path, { method: 'OPTIONS' }],
    [`${path}/`],
    [path, { headers: { 'If-Modified-Since': 'Mon, 01 Jan 2024 00:00:00 GMT' } }],
    [`/resource?uri=${encodeURIComponent(BASE + path)}`],
    [`/resource?uri=${encodeURIComponent(BASE + path)}`, { method: 'OPTIONS' }],
    [`/meta/text/turtle?uri=${encodeURIComponent(BASE + path)}`],
    [`/content?uri=${encodeURIComponent(BASE + path)}`],
    [`/context?graph=${encodeURIComponent(BASE + path)}`],
    [path, { method: 'PATCH', headers: { ...patch, 'If-Match': '"x-ttl"' }, body: '' }],
  ];
}

const writesTo = (path: string): [string, Sent?][] => [
  [path, { method: 'PUT', headers: { ...turtle, 'If-None-Match': '*' }, body: '<> <urn:p> 1 .' }],
  [path, { method: 'PUT', headers: { 'Content-Type': 'image/png' }, body: 'x' }],
  [path, { method: 'POST', headers: turtle, body: '' }],
  [path, { method: 'DELETE' }],
];

describe('LDP resources of a client that may read and write some of them', () => {
  const server = sharedServer((scope) => permissionArgs(scope, RULES));
  const root = () => as('root', server);
  const anna = () => as('anna', server);
  const create = (path: string, body = '', headers: Record<string, string> = turtle) =>
    root().expect(201, path, { method: 'PUT', headers, body: body === '' ? '' : PREFIXES + body });
  const remove = (path: string) => root().expect(204, path, { method: 'DELETE' });

  it('G-163: hidden members, and what they lead to, change no byte', async () => {
    await create('/ldp/hub');
    await create('/ldp/open', '<> a ldp:BasicContainer .');
    await create('/ldp/open/child', '<> ex:p 1 .');
    const membership = `ldp:membershipResource <${BASE}/ldp/hub> ; ldp:hasMemberRelation ex:has`;
    await create('/ldp/direct', `<> a ldp:DirectContainer ; ${membership} .`);
    await create(
      '/ldp/indirect',
      `<> a ldp:IndirectContainer ; ${membership} ; ldp:insertedContentRelation ex:of .`,
    );
    const paths = [
      '/ldp',
      '/ldp/open',
      '/ldp/direct',
      '/ldp/indirect',
      '/ldp/hub',
      '/ldp/hidden',
      '/ldp/h.png',
    ];
    const requests = [...paths.flatMap(waysTo), ...['/ldp/hidden', '/ldp/h.png'].flatMap(writesTo)];
    const png = { 'Content-Type': 'image/png' };
    await requireUnaltered(anna(), requests, [
      () => create('/ldp/hidden', '<> a ldp:BasicContainer ; ex:p 1 .'),
      () => create('/ldp/hidden/child', '<> ex:p 1 .'),
      () => create('/ldp/h.png', 'x', png),
      () => create('/ldp/direct/secret'),
      () => create('/ldp/indirect/secret', '<> ex:of ex:secret .'),
      () => create('/ldp/hidden2', `<> a ldp:DirectContainer ; ${membership.replace('has', 'hides')} .`),
      () => create('/ldp/hidden2/m'),
      () => remove('/ldp/direct/secret'),
      () => remove('/ldp/indirect/secret'),
      () => remove('/ldp/hidden/child'),
      () => remove('/ldp/hidden'),
      () => remove('/ldp/h.png'),
    ]);
  });

  it('G-163: a container shows the members that the client sees', async () => {
    await create('/ldp/box', '<> a ldp:BasicContainer .');
    await create('/ldp/box/pub1');
    await create('/ldp/box/secret');
    const text = await (await anna().expect(200, '/ldp/box')).text();
    assert.ok(text.includes('/ldp/box/pub1') && !text.includes('secret'));
    assert.doesNotMatch(text, /modified/);
    const complete = await (await root().expect(200, '/ldp/box')).text();
    assert.ok(complete.includes('/ldp/box/secret') && complete.includes('modified'));
  });

  it('G-168: creates members of containers that the client may write, and no others', async () => {
    await create('/ldp/anna', '<> a ldp:BasicContainer .');
    const put = (path: string) => ({ method: 'PUT', headers: turtle, path, body: '<> <urn:p> 1 .' });
    const post = (slug?: string) => ({
      method: 'POST',
      headers: { ...turtle, ...(slug && { Slug: slug }) },
      body: '<> <urn:p> 1 .',
    });
    await anna().expect(201, '/ldp/anna', post());
    await anna().expect(201, '/ldp/anna/a/b/c', put(''));
    await anna().expect(403, '/ldp/open', post());
    await anna().expect(403, '/ldp', post());
    await anna().expect(403, '/ldp/box', post());
    await create('/ldp/box/x', '<> <urn:p> 1 .');
    await anna().expect(403, '/ldp/box', post('x'));
    await anna().expect(403, '/ldp/box', post('y'));
    const made = await anna().expect(201, '/ldp/box', post('pub9'));
    assert.equal(made.headers.get('location'), `${BASE}/ldp/box/pub9`);
    const next = await anna().expect(201, '/ldp/box', post('pub9'));
    assert.equal(next.headers.get('location'), `${BASE}/ldp/box/pub9-1`);
    await anna().expect(403, '/ldp/direct/own1', put(''));
    await anna().expect(404, '/ldp/none/x', put(''));
  });

  it('changes and removes what the client may write', async () => {
    await anna().expect(201, '/ldp/anna/r', { method: 'PUT', headers: turtle, body: '<> <urn:p> 1 .' });
    const tag = (await anna().expect(200, '/ldp/anna/r')).headers.get('etag') ?? '';
    const put = (value: number) => ({
      method: 'PUT',
      headers: { ...turtle, 'If-Match': tag },
      body: `<> <urn:p> ${value} .`,
    });
    await anna().expect(200, '/ldp/anna/r', put(2));
    await anna().expect(412, '/ldp/anna/r', put(3));
    const unchecked = { method: 'PUT', headers: turtle, body: '<> <urn:p> 4 .' };
    await anna().expect(428, '/ldp/anna/r', unchecked);
    const future = new Date(Date.now() + 3_600_000).toUTCString();
    const dated = { ...turtle, 'If-Unmodified-Since': future };
    await anna().expect(412, '/ldp/anna/r', { ...unchecked, headers: dated });
    const patch = {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/rdf-patch' },
      body: 'A <> <urn:q> "x" .',
    };
    const patched = await anna().expect(204, '/ldp/anna/r', patch);
    assert.equal(patched.headers.get('etag'), null);
    const [state] = [(await anna().send('/ldp/anna/r')).headers.get('etag') ?? ''];
    await anna().expect(412, '/ldp/anna/r', { method: 'DELETE', headers: { 'If-Match': tag } });
    await anna().expect(204, '/ldp/anna/r', { method: 'DELETE', headers: { 'If-Match': state } });
    await anna().expect(410, '/ldp/anna/r');
    await anna().expect(403, '/ldp/open/child', { method: 'DELETE' });
  });

  it('G-168: removes a container only for a client from which no member can be hidden', async () => {
    const container = (path: string) => create(path, '<> a ldp:BasicContainer .');
    await container('/ldp/anna/empty');
    await anna().expect(204, '/ldp/anna/empty', { method: 'DELETE' });
    await container('/ldp/box/pub');
    await anna().expect(204, '/ldp/box/pub', { method: 'DELETE' });
    await anna().expect(403, '/ldp/box', { method: 'DELETE' });
  });

  it('refuses a statement about a hidden member like one about a member that does not exist', async () => {
    await create('/ldp/box/secret2');
    const tag = (await anna().expect(200, '/ldp/box')).headers.get('etag') ?? '';
    const claim = (name: string) =>
      anna().see('/ldp/box', {
        method: 'PUT',
        headers: { ...turtle, 'If-Match': tag },
        body: `<> <http://www.w3.org/ns/ldp#contains> </ldp/box/${name}> .`,
      });
    const [hidden, none] = [await claim('secret2'), await claim('secret3')];
    assert.equal(hidden.status, 409);
    assert.deepEqual(hidden, none);
  });

  it('G-168: makes no membership triples of LDP resources that the client may not write', async () => {
    const container = (path: string, kind: string, resource: string) => ({
      method: 'PUT',
      headers: turtle,
      body: `${PREFIXES}<> a ldp:${kind}Container ; ldp:membershipResource <${resource}> ; ldp:hasMemberRelation ex:has
        ${kind === 'Indirect' ? '; ldp:insertedContentRelation ex:of' : ''} .`,
      path,
    });
    const about = (path: string) => ({ method: 'PUT', headers: turtle, body: `<> <urn:ex:of> <${path}> .` });
    await create('/ldp/anna/m');
    for (const kind of ['Direct', 'Indirect']) {
      const path = `/ldp/anna/${kind}`;
      await anna().expect(403, path, container(path, kind, `${BASE}/ldp/open`));
      await anna().expect(403, path, container(path, kind, `${BASE}/ldp/hidden9`));
      await anna().expect(201, path, container(path, kind, `${BASE}/ldp/anna/m`));
    }
    await anna().expect(403, '/ldp/anna/Indirect/x', about(`${BASE}/ldp/open`));
    await anna().expect(404, '/ldp/anna/Indirect/x');
    await anna().expect(201, '/ldp/anna/Indirect/y', about('urn:ex:y'));
    const shown = await (await anna().expect(200, '/ldp/anna/m')).text();
    assert.match(shown, /urn:ex:y|ex:y/);
  });

  it('G-167, G-168: adds no members for LDP resources that the client may not write', async () => {
    const etagOf = async (path: string) => (await root().expect(200, path)).headers.get('etag');
    const about = (path: string) => ({ method: 'POST', headers: turtle, body: `<> <urn:ex:of> <${path}> .` });
    for (const resource of ['/ldp/open/five', '/ldp/hidden5']) {
      const [direct, indirect] = [
        `/ldp/anna/direct${resource.length}`,
        `/ldp/anna/indirect${resource.length}`,
      ];
      await create(resource);
      await create(direct, memberContainer('Direct', resource));
      await create(indirect, memberContainer('Indirect', resource));
      const before = await etagOf(resource);
      const child = { method: 'PUT', headers: turtle, body: '<> <urn:p> 1 .' };
      const refused = await anna().expect(403, direct, { ...child, method: 'POST' });
      assert.equal(((await refused.json()) as { uri: string }).uri, BASE + resource);
      await anna().expect(403, `${direct}/x`, child);
      await anna().expect(403, `${direct}/a/b`, child);
      await anna().expect(403, indirect, about('urn:ex:y'));
      assert.equal(await etagOf(resource), before);
      await anna().expect(201, indirect, { ...child, method: 'POST' });
    }
  });

  it('G-167, G-168: removes no members from LDP resources that the client may not write', async () => {
    await create('/ldp/open/six');
    await create('/ldp/hidden6');
    await create('/ldp/anna/own6');
    const cases = [
      ['dc', memberContainer('Direct', '/ldp/open/six'), '/ldp/open/six'],
      ['dh', memberContainer('Direct', '/ldp/hidden6'), '/ldp/hidden6'],
      ['ic', memberContainer('Indirect', '/ldp/anna/own6'), '/ldp/hidden6'],
    ] as const;
    for (const [name, container, resource] of cases) {
      const path = `/ldp/anna/${name}`;
      await create(path, container);
      await create(`${path}/m`, '<> ex:of </ldp/hidden6> .');
      const refused = await anna().expect(403, `${path}/m`, { method: 'DELETE' });
      assert.equal(((await refused.json()) as { uri: string }).uri, BASE + resource);
      await anna().expect(200, `${path}/m`);
      await remove(`${path}/m`);
    }
    await create('/ldp/anna/ic/n', '<> ex:of </ldp/anna/own6> .');
    await anna().expect(204, '/ldp/anna/ic/n', { method: 'DELETE' });
  });
});

/** Returns the body of a container that adds members to a resource. */
function memberContainer(kind: 'Direct' | 'Indirect', resource: string): string {
  const content = kind === 'Indirect' ? '; ldp:insertedContentRelation ex:of' : '';
  return `<> a ldp:${kind}Container ; ldp:membershipResource <${BASE}${resource}> ;
    ldp:hasMemberRelation ex:has ${content} .`;
}
