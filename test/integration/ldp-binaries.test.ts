import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  DCTERMS,
  LDP,
  ldpClient,
  linksOf,
  model,
  problemOf,
  ROOT,
  turtle,
  typesOf,
} from '../support/ldp-client.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const png = { 'Content-Type': 'image/png' };

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('an LDP binary', () => {
  let folder = '';
  const server = sharedServer(async (scope) => {
    const data = await temporaryDirectory(scope);
    folder = join(data, 'content');
    return ['--data', data, '--threads', '1', '--max-content', '4MiB'];
  });
  const { get, head, post, put, remove, create, createTurtle, triples, tagOf } = ldpClient(server);

  it('L-37: has a description, which the 201 response links to with the Location as anchor', async () => {
    const response = await post('', { ...png, Slug: 'linked' }, 'png');
    const uri = response.headers.get('location') ?? '';
    assert.equal(uri, `${ROOT}/linked.png`);
    assert.ok(linksOf(response).includes(`describedby ${uri}.meta ${uri}`));
    assert.ok(typesOf(response).includes('BasicContainer'));
    const description = await get(`${uri}.meta`);
    assert.equal(description.headers.get('content-type'), 'text/turtle');
    assert.ok(description.headers.get('etag'));
    assert.ok(linksOf(await get(uri, { Accept: 'image/png' })).includes(`describedby ${uri}.meta`));
    assert.ok((await triples('')).includes(`<${ROOT}> <${LDP}contains> <${uri}> .`));
    assert.ok(!(await triples('')).some((line) => line.includes(`${uri}.meta`)));
  });

  it('5.4, R-62, 1.13: is read as the bytes that were sent, with their type, in a sandbox', async () => {
    const bytes = randomBytes(3_000_000);
    const uri = await create('', { 'Content-Type': 'image/jpeg; charset=UTF-8', Slug: 'big' }, bytes);
    const read = await get(uri, { Accept: 'image/*' });
    assert.ok(Buffer.from(await read.arrayBuffer()).equals(bytes));
    assert.equal(read.headers.get('content-type'), 'image/jpeg');
    assert.equal(read.headers.get('content-length'), '3000000');
    assert.equal(read.headers.get('content-security-policy'), 'sandbox');
    assert.equal(read.headers.get('accept-ranges'), 'bytes');
    assert.match(read.headers.get('etag') ?? '', /^"[a-z0-9]+"$/);
    const headers = await head(uri);
    assert.deepEqual([headers.status, headers.headers.get('content-length')], [200, '3000000']);
    assert.equal(headers.headers.get('etag'), read.headers.get('etag'));
  });

  it('R-63: is read in ranges of bytes', async () => {
    const uri = await create('', { ...png, Slug: 'ranged' }, '0123456789');
    const part = async (range: string, more: Record<string, string> = {}) => {
      const response = await get(uri, { Range: range, ...more });
      return [response.status, response.headers.get('content-range'), await response.text()];
    };
    assert.deepEqual(await part('bytes=2-4'), [206, 'bytes 2-4/10', '234']);
    assert.deepEqual(await part('bytes=7-'), [206, 'bytes 7-9/10', '789']);
    assert.deepEqual(await part('bytes=-2'), [206, 'bytes 8-9/10', '89']);
    assert.deepEqual(await part('bytes=0-1,3-4'), [200, null, '0123456789']);
    assert.deepEqual(await part('bytes=0-1', { 'If-Range': await tagOf(uri, '*/*') }), [
      206,
      'bytes 0-1/10',
      '01',
    ]);
    assert.deepEqual(await part('bytes=0-1', { 'If-Range': '"other"' }), [200, null, '0123456789']);
    const beyond = await get(uri, { Range: 'bytes=10-' });
    assert.equal(beyond.headers.get('content-range'), 'bytes */10');
    assert.ok(typesOf(beyond).includes('NonRDFSource'));
    assert.equal(await problemOf(beyond), '416 bad-range');
  });

  it('5.4: is represented by its description for a client that accepts RDF only', async () => {
    const uri = await create('', { ...png, Slug: 'described' }, 'png');
    const read = await get(uri, { Accept: 'text/turtle' });
    assert.deepEqual(
      [read.status, read.headers.get('content-type'), read.headers.get('content-location')],
      [200, 'text/turtle', `${uri}.meta`],
    );
    assert.equal(read.headers.get('etag'), await tagOf(`${uri}.meta`));
    assert.ok(typesOf(read).includes('NonRDFSource'));
    assert.match(await read.text(), /dct:format "image\/png"|dcterms:format "image\/png"/);
    const tag = read.headers.get('etag') ?? '';
    assert.equal((await get(uri, { Accept: 'text/turtle', 'If-None-Match': tag })).status, 304);
    assert.equal(await (await get(uri, { Accept: 'text/turtle, image/png;q=0.1' })).text(), 'png');
    const rejected = await get(uri, { Accept: 'image/gif, application/problem+json' });
    assert.equal(await problemOf(rejected), '406 not-acceptable');
    const bytes = await get(uri);
    assert.equal((await get(uri, { 'If-None-Match': bytes.headers.get('etag') ?? '' })).status, 304);
    assert.equal((await get(uri, { 'If-Match': bytes.headers.get('etag') ?? '' })).status, 200);
    assert.equal((await get(uri, { 'If-Match': '"other"' })).status, 412);
  });

  it('L-64, G-80: gets new bytes, type and description from a PUT, which deletes the old file', async () => {
    const before = (await filesIn(folder)).length;
    const uri = await create('', { ...png, Slug: 'replaced' }, 'first');
    const [tag, described] = [await tagOf(uri, '*/*'), await tagOf(`${uri}.meta`)];
    const replaced = await put(uri, { 'Content-Type': 'image/gif', 'If-Match': tag }, 'second!');
    assert.equal(replaced.status, 200);
    assert.equal(replaced.headers.get('etag'), await tagOf(uri, '*/*'));
    assert.notEqual(replaced.headers.get('etag'), tag);
    assert.notEqual(await tagOf(`${uri}.meta`), described);
    assert.ok(linksOf(replaced).includes(`describedby ${uri}.meta`));
    assert.equal((await get(uri)).headers.get('content-type'), 'image/gif');
    assert.ok(
      (await triples(`${uri}.meta`)).some((line) => line.includes(`<${uri}> <${DCTERMS}extent> "7"`)),
    );
    assert.equal((await filesIn(folder)).length, before + 1);
    const same = await put(uri, { 'Content-Type': 'image/gif', 'If-Match': '*' }, 'second!');
    assert.equal(same.headers.get('etag'), replaced.headers.get('etag'));
    assert.equal(await problemOf(await put(uri, png, 'x')), '428 precondition-required');
    assert.equal(
      await problemOf(await put(uri, { ...png, 'If-Match': tag }, 'x')),
      '412 precondition-failed',
    );
    const document = { ...turtle, 'If-Match': '*' };
    assert.equal(await problemOf(await put(uri, document, '<> <urn:p> 1 .')), '409 type-conflict');
    // An invalid body is reported before the conflict (L-63).
    assert.equal(await problemOf(await put(uri, document, 'x')), '400 parse-error');
    assert.equal(
      (await put(uri, { ...turtle, ...model('NonRDFSource'), 'If-Match': '*' }, '<x')).status,
      200,
    );
    // It has that type now.
    assert.equal((await put(uri, { ...turtle, 'If-Match': '*' }, '<y')).status, 200);
    assert.equal((await get(uri)).headers.get('content-type'), 'text/turtle');
    assert.equal((await filesIn(folder)).length, before + 1);
    assert.equal((await remove(uri)).status, 204);
    assert.equal((await filesIn(folder)).length, before);
  });

  it('L-66, L-37: is created by PUT, and the response has its tag', async () => {
    const uri = `${ROOT}/made/by/put.png`;
    const made = await put(uri, png, 'png');
    assert.deepEqual([made.status, made.headers.get('location')], [201, uri]);
    assert.ok(linksOf(made).includes(`describedby ${uri}.meta ${uri}`));
    assert.equal(made.headers.get('etag'), await tagOf(uri, '*/*'));
    assert.deepEqual(typesOf(made), ['Resource', 'NonRDFSource']);
  });

  it('leaves no file when its upload is rejected', async () => {
    const before = (await filesIn(folder)).length;
    const source = await createTurtle('', 'source', '<> <urn:p> 1 .');
    assert.equal(await problemOf(await put(`${source}/x`, png, 'rejected')), '409 parent-not-container');
    assert.equal(
      await problemOf(await put(source, { ...png, 'If-Match': '*' }, 'rejected')),
      '409 type-conflict',
    );
    assert.equal(await problemOf(await post('', png, randomBytes(5_000_000))), '413 too-large');
    assert.equal(
      await problemOf(await post('', { ...png, 'Content-Range': 'bytes 0-1/2' }, 'x')),
      '400 bad-arguments',
    );
    assert.equal((await filesIn(folder)).length, before);
  });

  it('shares one file with another that has the same bytes, until both are deleted', async () => {
    const before = (await filesIn(folder)).length;
    const one = await create('', png, 'shared by two');
    const two = await create('', png, 'shared by two');
    assert.equal((await filesIn(folder)).length, before + 1);
    await remove(one);
    assert.equal(await (await get(two)).text(), 'shared by two');
    await remove(two);
    assert.equal((await filesIn(folder)).length, before);
  });

  it('section 6.3: has a task of the group Content while it is uploaded', async () => {
    let end = () => {};
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from('first piece'));
        end = () => controller.close();
      },
    });
    const upload = fetch(`${server.url}/ldp`, {
      method: 'POST',
      headers: png,
      body,
      duplex: 'half',
    } as RequestInit);
    for (;;) {
      const tasks = (await (await fetch(`${server.url}/tasks/Content`)).json()) as Record<
        string,
        { message: string }[]
      >;
      const [task] = tasks['Content'] ?? [];
      if (!task) continue;
      assert.equal(task.message, 'receiving bytes');
      break;
    }
    end();
    assert.equal((await upload).status, 201);
    assert.deepEqual(await (await fetch(`${server.url}/tasks/Content`)).json(), {});
  });
});
