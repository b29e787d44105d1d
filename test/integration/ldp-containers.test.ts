import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LDP, ldpClient, model, PREFIXES, problemOf, ROOT, turtle, typesOf } from '../support/ldp-client.ts';
import { sharedServer } from '../support/shared-server.ts';

const PRIMARY = 'http://xmlns.com/foaf/0.1/primaryTopic';
const onlyMembership = { Prefer: `return=representation; include="${LDP}PreferMembership"` };
const onlyMinimal = { Prefer: `return=representation; include="${LDP}PreferMinimalContainer"` };
const noMembership = { Prefer: `return=representation; omit="${LDP}PreferMembership"` };

describe('a Direct or Indirect Container', () => {
  const server = sharedServer(['--memory', '--threads', '1']);
  const { get, head, post, put, patch, remove, create, createTurtle, triples, tagOf } = ldpClient(server);
  const isStated = async (where: string, line: string, headers = {}) =>
    (await triples(where, headers)).includes(line);

  it('L-45, L-47, L-50: gets the default configuration when it is created without one', async () => {
    const direct = await createTurtle('', 'direct', '<> <urn:p> 1 .', 'DirectContainer');
    assert.ok(typesOf(await head(direct)).includes('DirectContainer'));
    const configuration = [
      `<${direct}> <${LDP}membershipResource> <${direct}> .`,
      `<${direct}> <${LDP}hasMemberRelation> <${LDP}member> .`,
    ];
    for (const headers of [{}, onlyMembership, onlyMinimal, noMembership]) {
      for (const line of configuration) assert.ok(await isStated(direct, line, headers));
    }
    const child = await createTurtle(direct, 'child', '<> <urn:p> 1 .');
    const membership = `<${direct}> <${LDP}member> <${child}> .`;
    const containment = `<${direct}> <${LDP}contains> <${child}> .`;
    const shown = async (headers = {}) => [
      await isStated(direct, membership, headers),
      await isStated(direct, containment, headers),
    ];
    assert.deepEqual(await shown(), [true, true]);
    assert.deepEqual(await shown(onlyMembership), [true, false]);
    assert.deepEqual(await shown(onlyMinimal), [false, false]);
    assert.deepEqual(await shown(noMembership), [false, true]);
    assert.equal((await remove(child)).status, 204);
    assert.deepEqual(await shown(), [false, false]);
    const made = await put(`${direct}/put`, turtle, '<> <urn:p> 1 .');
    assert.equal(made.status, 201);
    assert.ok(await isStated(direct, `<${direct}> <${LDP}member> <${direct}/put> .`));
    const picture = await create(direct, { 'Content-Type': 'image/png' }, 'png');
    assert.ok(await isStated(direct, `<${direct}> <${LDP}member> <${picture}> .`));
  });

  it('L-49: shows its membership in the membership resource, as managed triples of its state', async () => {
    const album = await createTurtle('', 'album', '<> <urn:p> 1 .');
    const photos = await createTurtle(
      '',
      'photos',
      `<> ldp:membershipResource <${album}> ; ldp:hasMemberRelation <urn:x:photo> .`,
      'DirectContainer',
    );
    const before = await tagOf(album);
    const photo = await create(photos, { 'Content-Type': 'image/png', Slug: 'p' }, 'png');
    assert.notEqual(await tagOf(album), before);
    assert.ok(await isStated(album, `<${album}> <urn:x:photo> <${photo}> .`));
    assert.ok(await isStated(photos, `<${album}> <urn:x:photo> <${photo}> .`));
    const text = await (await get(album)).text();
    const write = async (body: string) =>
      put(album, { ...turtle, 'If-Match': await tagOf(album) }, PREFIXES + body);
    assert.equal((await write(text)).status, 200);
    assert.equal((await remove(photo)).status, 204);
    assert.ok(!(await isStated(album, `<${album}> <urn:x:photo> <${photo}> .`)));
  });

  it('L-47, L-49: shows inverse membership in the container and in the member', async () => {
    const inverse = await createTurtle(
      '',
      'inverse',
      '<> ldp:membershipResource <#team> ; ldp:isMemberOfRelation <urn:x:memberOf> .',
      'DirectContainer',
    );
    const member = await createTurtle(inverse, 'm', '<> <urn:p> 1 .');
    const membership = `<${member}> <urn:x:memberOf> <${inverse}#team> .`;
    assert.ok(await isStated(inverse, membership));
    assert.ok(await isStated(member, membership));
    const text = await (await get(member)).text();
    assert.equal((await put(member, { ...turtle, 'If-Match': '*' }, text)).status, 200);
    assert.ok(await isStated(member, membership));
    assert.equal((await remove(member)).status, 204);
    assert.ok(!(await isStated(inverse, membership)));
  });

  it('L-48: has the members that the inserted content relation of its children names', async () => {
    const indirect = await createTurtle(
      '',
      'indirect',
      '<> ldp:insertedContentRelation foaf:primaryTopic ; ldp:hasMemberRelation <urn:x:about> .',
      'IndirectContainer',
    );
    assert.ok(typesOf(await head(indirect)).includes('IndirectContainer'));
    assert.ok(
      await isStated(indirect, `<${indirect}> <${LDP}insertedContentRelation> <${PRIMARY}> .`, onlyMinimal),
    );
    const members = async (body: string) => {
      const child = await createTurtle(indirect, 'c', body);
      assert.ok(await isStated(indirect, `<${indirect}> <${LDP}contains> <${child}> .`));
      const stated = (await triples(indirect)).filter((line) => line.includes('<urn:x:about> <'));
      const found = stated.map((line) => /<([^>]*)> \.$/.exec(line)?.[1]?.replace(child, '')).filter(Boolean);
      await remove(child);
      assert.ok(!(await triples(indirect)).some((line) => line.includes('<urn:x:about> <')));
      return found;
    };
    assert.deepEqual(await members('<> foaf:primaryTopic <#me> .'), ['#me']);
    assert.deepEqual(await members('<> foaf:primaryTopic <#me>, <#you> . <#x> foaf:primaryTopic <#z> .'), [
      '#me',
      '#you',
    ]);
    assert.deepEqual(await members('<#x> foaf:primaryTopic <#z> .'), ['#z']);
    assert.deepEqual(await members('<> <urn:p> 1 .'), []);
    assert.deepEqual(await members('<> foaf:primaryTopic "a literal" .'), []);
    const picture = await create(indirect, { 'Content-Type': 'image/png' }, 'png');
    assert.ok(!(await triples(indirect)).some((line) => line.includes(`<urn:x:about> <${picture}>`)));
  });

  it('L-46: rejects a contradictory configuration', async () => {
    const rejected = async (kind: string, body: string) =>
      problemOf(await post('', { ...turtle, ...model(kind) }, PREFIXES + body));
    const violation = '409 constraint-violation';
    assert.equal(await rejected('DirectContainer', '<> ldp:membershipResource <#a>, <#b> .'), violation);
    assert.equal(
      await rejected(
        'DirectContainer',
        '<> ldp:hasMemberRelation <urn:a> ; ldp:isMemberOfRelation <urn:b> .',
      ),
      violation,
    );
    assert.equal(await rejected('DirectContainer', '<> ldp:hasMemberRelation <urn:a>, <urn:b> .'), violation);
    assert.equal(await rejected('DirectContainer', '<> ldp:membershipResource "x" .'), violation);
    assert.equal(await rejected('DirectContainer', '<> ldp:insertedContentRelation <urn:p> .'), violation);
    assert.equal(await rejected('IndirectContainer', '<> ldp:membershipResource <#a> .'), violation);
    assert.equal(
      await rejected('IndirectContainer', '<> ldp:insertedContentRelation <urn:a>, <urn:b> .'),
      violation,
    );
    const stated = '<> ldp:insertedContentRelation ldp:MemberSubject .';
    assert.equal((await post('', { ...turtle, ...model('DirectContainer') }, PREFIXES + stated)).status, 201);
    assert.ok((await get(ROOT)).ok);
  });

  it('L-51: rejects a change of its configuration', async () => {
    const direct = await createTurtle('', 'fixed', '<> <urn:p> 1 .', 'DirectContainer');
    const changed = await put(
      direct,
      { ...turtle, 'If-Match': '*' },
      `${PREFIXES}<> ldp:hasMemberRelation <urn:x:other> .`,
    );
    assert.equal(await problemOf(changed), '409 constraint-violation');
    const update = `DELETE WHERE { <> <${LDP}membershipResource> ?r }`;
    const patched = await patch(direct, { 'Content-Type': 'application/sparql-update' }, update);
    assert.equal(await problemOf(patched), '409 constraint-violation');
    const text = await (await get(direct)).text();
    assert.equal((await put(direct, { ...turtle, 'If-Match': '*' }, text)).status, 200);
  });
});
