import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LDP, ldpClient, model, PREFIXES, problemOf, ROOT, turtle, typesOf } from '../support/ldp-client.ts';
import { startServer } from '../support/server-process.ts';

const PRIMARY = 'http://xmlns.com/foaf/0.1/primaryTopic';
const onlyMembership = { Prefer: `return=representation; include="${LDP}PreferMembership"` };
const onlyMinimal = { Prefer: `return=representation; include="${LDP}PreferMinimalContainer"` };
const noMembership = { Prefer: `return=representation; omit="${LDP}PreferMembership"` };

test('Direct and Indirect Containers', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1']);
  const { get, head, post, put, patch, remove, create, createTurtle, triples, tagOf } = ldpClient(url);
  const isStated = async (where: string, line: string, headers = {}) =>
    (await triples(where, headers)).includes(line);

  await context.test(
    'L-45, L-47, L-50: a Direct Container without configuration has the default one',
    async () => {
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
    },
  );

  await context.test(
    'L-49: membership is shown in the membership resource, managed, and part of its state',
    async () => {
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
      const put_ = async (body: string) =>
        put(album, { ...turtle, 'If-Match': await tagOf(album) }, PREFIXES + body);
      assert.equal((await put_(text)).status, 200);
      assert.equal((await remove(photo)).status, 204);
      assert.ok(!(await isStated(album, `<${album}> <urn:x:photo> <${photo}> .`)));
    },
  );

  await context.test('L-47, L-49: the inverse form is shown in container and member', async () => {
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

  await context.test('L-48: members of an Indirect Container', async () => {
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

  await context.test('L-46: contradictory configurations are refused', async () => {
    const refused = async (kind: string, body: string) =>
      problemOf(await post('', { ...turtle, ...model(kind) }, PREFIXES + body));
    const violation = '409 constraint-violation';
    assert.equal(await refused('DirectContainer', '<> ldp:membershipResource <#a>, <#b> .'), violation);
    assert.equal(
      await refused('DirectContainer', '<> ldp:hasMemberRelation <urn:a> ; ldp:isMemberOfRelation <urn:b> .'),
      violation,
    );
    assert.equal(await refused('DirectContainer', '<> ldp:hasMemberRelation <urn:a>, <urn:b> .'), violation);
    assert.equal(await refused('DirectContainer', '<> ldp:membershipResource "x" .'), violation);
    assert.equal(await refused('DirectContainer', '<> ldp:insertedContentRelation <urn:p> .'), violation);
    assert.equal(await refused('IndirectContainer', '<> ldp:membershipResource <#a> .'), violation);
    assert.equal(
      await refused('IndirectContainer', '<> ldp:insertedContentRelation <urn:a>, <urn:b> .'),
      violation,
    );
    const stated = '<> ldp:insertedContentRelation ldp:MemberSubject .';
    assert.equal((await post('', { ...turtle, ...model('DirectContainer') }, PREFIXES + stated)).status, 201);
  });

  await context.test('L-51: the configuration is fixed', async () => {
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

  assert.ok((await get(ROOT)).ok);
});
