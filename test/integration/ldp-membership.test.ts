/** Containers whose membership resource is another resource than the container itself. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ldpClient, turtle } from '../support/ldp-client.ts';
import { startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const RELATION = 'urn:x:relation';

const relations = {
  hasMemberRelation: (resource: string, member: string) => `<${resource}> <${RELATION}> <${member}> .`,
  isMemberOfRelation: (resource: string, member: string) => `<${member}> <${RELATION}> <${resource}> .`,
};

/** What a child says so that the Indirect Container takes `#it` for the member. */
const child = '<> foaf:primaryTopic <#it> .';
const kinds = {
  DirectContainer: { configuration: '', member: (uri: string) => uri },
  IndirectContainer: {
    configuration: '; ldp:insertedContentRelation foaf:primaryTopic',
    member: (uri: string) => `${uri}#it`,
  },
};

type Client = ReturnType<typeof ldpClient>;
type Kind = keyof typeof kinds;
type Relation = keyof typeof relations;

function createContainer(client: Client, kind: Kind, relation: Relation, resource: string): Promise<string> {
  const configuration = `<> ldp:membershipResource <${resource}> ; ldp:${relation} <${RELATION}>`;
  return client.createTurtle('', 'members', `${configuration} ${kinds[kind].configuration} .`, kind);
}

/** The membership triples that a representation has, sorted. */
async function membershipIn(client: Client, target: string): Promise<string[]> {
  return (await client.triples(target)).filter((line) => line.includes(` <${RELATION}> <`));
}

for (const kind of Object.keys(kinds) as Kind[]) {
  for (const relation of Object.keys(relations) as Relation[]) {
    describe(`${kind} with ldp:${relation} and another membership resource`, () => {
      const server = sharedServer(['--memory', '--threads', '1']);
      const client = ldpClient(server);
      const membership = (resource: string, uri: string) =>
        relations[relation](resource, kinds[kind].member(uri));

      it('L-47, L-49: states a member made by POST or PUT in container, resource and member', async () => {
        const resource = await client.createTurtle('', 'resource', '<> <urn:p> 1 .');
        const container = await createContainer(client, kind, relation, resource);
        const posted = await client.createTurtle(container, 'posted', child);
        const put = `${container}/put`;
        const body = `@prefix foaf: <http://xmlns.com/foaf/0.1/> . ${child}`;
        assert.equal((await client.put(put, turtle, body)).status, 201);
        const both = [membership(resource, posted), membership(resource, put)].sort();
        assert.deepEqual(await membershipIn(client, container), both);
        assert.deepEqual(await membershipIn(client, resource), both);
        const isDocument = kinds[kind].member(posted) === posted;
        const isShown = isDocument && relation === 'isMemberOfRelation';
        assert.deepEqual(await membershipIn(client, posted), isShown ? [membership(resource, posted)] : []);
      });

      it('L-50: removes the triples of a deleted member, and no others', async () => {
        const resource = await client.createTurtle('', 'resource', '<> <urn:p> 1 .');
        const container = await createContainer(client, kind, relation, resource);
        const kept = await client.createTurtle(container, 'kept', child);
        const deleted = await client.createTurtle(container, 'deleted', child);
        const tag = await client.tagOf(resource);
        assert.equal((await client.remove(deleted)).status, 204);
        assert.deepEqual(await membershipIn(client, container), [membership(resource, kept)]);
        assert.deepEqual(await membershipIn(client, resource), [membership(resource, kept)]);
        assert.notEqual(await client.tagOf(resource), tag);
      });

      it('L-49, L-62: keeps membership when the membership resource or the container is written', async () => {
        const resource = await client.createTurtle('', 'resource', '<> <urn:p> 1 .');
        const container = await createContainer(client, kind, relation, resource);
        const member = await client.createTurtle(container, 'member', child);
        const stated = membership(resource, member);
        const invented = relations[relation](resource, 'urn:x:invented');
        for (const target of [resource, container]) {
          const write = (body: string) =>
            client.put(target, { 'Content-Type': 'application/n-triples', 'If-Match': '*' }, body);
          const change = (update: string) =>
            client.patch(target, { 'Content-Type': 'application/sparql-update' }, update);
          assert.equal((await write('')).status, 200);
          assert.equal((await write(stated)).status, 200);
          assert.equal((await write(invented)).status, 409, target);
          assert.equal((await change(`INSERT DATA { ${invented} }`)).status, 409, target);
          assert.equal((await change(`DELETE DATA { ${stated} }`)).status, 409, target);
          assert.deepEqual(await membershipIn(client, target), [stated]);
        }
      });

      it('L-47: may have a membership resource that is not on this server', async () => {
        const container = await createContainer(client, kind, relation, 'urn:x:elsewhere');
        const member = await client.createTurtle(container, 'member', child);
        assert.deepEqual(await membershipIn(client, container), [membership('urn:x:elsewhere', member)]);
        const asked = `${server.url}/sparql?query=${encodeURIComponent(`ASK { ${membership('urn:x:elsewhere', member)} }`)}`;
        assert.match(await (await fetch(asked)).text(), /true/);
        assert.equal((await client.remove(member)).status, 204);
        assert.match(await (await fetch(asked)).text(), /false/);
      });
    });
  }
}

describe('membership in another resource', () => {
  it('is the same after kill -9, and a later deletion of the member removes it', async (context) => {
    const args = ['--data', await temporaryDirectory(context), '--threads', '1'];
    const first = await startServer(context, args);
    let client = ldpClient(first);
    const made: { container: string; resource: string; member: string }[] = [];
    for (const relation of Object.keys(relations) as Relation[]) {
      const resource = await client.createTurtle('', 'resource', '<> <urn:p> 1 .');
      const container = await createContainer(client, 'DirectContainer', relation, resource);
      await client.remove(await client.createTurtle(container, 'gone', child));
      made.push({ container, resource, member: await client.createTurtle(container, 'kept', child) });
    }
    const targets = made.flatMap(({ container, resource, member }) => [container, resource, member]);
    const states = () =>
      Promise.all(targets.map(async (target) => [await client.triples(target), await client.tagOf(target)]));
    const before = await states();
    await first.kill();

    client = ldpClient(await startServer(context, args));
    assert.deepEqual(await states(), before);
    for (const { container, resource, member } of made) {
      assert.equal((await membershipIn(client, resource)).length, 1);
      assert.equal((await client.remove(member)).status, 204);
      assert.deepEqual(await membershipIn(client, container), []);
      assert.deepEqual(await membershipIn(client, resource), []);
    }
  });
});
