import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DCTERMS, LDP, ldpClient, PREFIXES, problemOf, ROOT, turtle } from '../support/ldp-client.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CLIENTS = 24;

function times<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(i)));
}

/** How often each value occurs. */
function tally(values: readonly (number | string)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

describe('concurrent LDP requests', () => {
  const server = sharedServer(async (scope) => ['--data', await temporaryDirectory(scope), '--threads', '2']);
  const { get, post, put, patch, remove, create, createTurtle, triples, tagOf } = ldpClient(server);

  it('5.14: exactly one PUT with the same tag succeeds, and the others get 412', async () => {
    const uri = await createTurtle('', 'contested', '<> <urn:n> 0 .');
    for (let round = 0; round < 5; round++) {
      const tag = await tagOf(uri);
      const responses = await times(CLIENTS, (i) => {
        return put(uri, { ...turtle, 'If-Match': tag }, `<> <urn:n> "${round}-${i}" .`);
      });
      assert.deepEqual(tally(responses.map(({ status }) => status)), { 200: 1, 412: CLIENTS - 1 });
      const winner = responses.findIndex(({ status }) => status === 200);
      assert.ok((await triples(uri)).includes(`<${uri}> <urn:n> "${round}-${winner}" .`));
    }
  });

  it('exactly one PUT of a binary with the same tag succeeds, and gets the tag that GET returns', async () => {
    const uri = await create('', { 'Content-Type': 'image/png' }, 'first');
    const tag = await tagOf(uri, '*/*');
    const responses = await times(CLIENTS, (i) =>
      put(uri, { 'Content-Type': 'image/png', 'If-Match': tag }, `bytes ${i}`),
    );
    assert.deepEqual(tally(responses.map(({ status }) => status)), { 200: 1, 412: CLIENTS - 1 });
    const winner = responses.findIndex(({ status }) => status === 200);
    const read = await get(uri);
    assert.equal(await read.text(), `bytes ${winner}`);
    assert.equal(responses[winner]?.headers.get('etag'), read.headers.get('etag'));
  });

  it('a binary that is replaced and deleted while it is read arrives completely, or is gone', async () => {
    const uri = await create('', { 'Content-Type': 'image/png', Slug: 'flickering' }, 'round 0');
    let isOver = false;
    const readers = times(6, async () => {
      while (!isOver) {
        const response = await get(uri);
        if (response.status === 410) return;
        assert.equal(response.status, 200);
        assert.match(await response.text(), /^round \d+$/);
      }
    });
    for (let i = 1; i <= 30; i++) {
      const response = await put(uri, { 'Content-Type': 'image/png', 'If-Match': '*' }, `round ${i}`);
      assert.equal(response.status, 200);
    }
    assert.equal((await remove(uri)).status, 204);
    isOver = true;
    await readers;
  });

  it('patches without conditions all take effect, one after another', async () => {
    const uri = await createTurtle('', 'counter', '<> <urn:n> 0 .');
    const increment =
      'DELETE { <> <urn:n> ?n } INSERT { <> <urn:n> ?next } WHERE { <> <urn:n> ?n . BIND(?n + 1 AS ?next) }';
    const responses = await times(CLIENTS, () =>
      patch(uri, { 'Content-Type': 'application/sparql-update' }, increment),
    );
    assert.deepEqual(tally(responses.map(({ status }) => status)), { 204: CLIENTS });
    assert.equal(new Set(responses.map(({ headers }) => headers.get('etag'))).size, CLIENTS);
    const number = (await triples(uri)).find((line) => line.includes('<urn:n>'));
    assert.match(number ?? '', new RegExp(`"${CLIENTS}"`));
  });

  it('a container can be patched while others create children in it', async () => {
    const container = await createTurtle('', 'busy', '<> <urn:p> 1 .', 'BasicContainer');
    let isOver = false;
    let made = 0;
    const makers = times(8, async () => {
      while (!isOver) {
        await createTurtle(container, 'child', '<> <urn:p> 1 .');
        made++;
      }
    });
    for (let i = 0; i < 10; i++) {
      const update = `INSERT DATA { <> <urn:change> ${i} }`;
      const patched = await patch(container, { 'Content-Type': 'application/sparql-update' }, update);
      assert.equal(patched.status, 204);
    }
    isOver = true;
    await makers;
    const lines = await triples(container);
    assert.equal(lines.filter((line) => line.includes('<urn:change>')).length, 10);
    assert.equal(lines.filter((line) => line.includes(`<${LDP}contains>`)).length, made);
  });

  it('L-31: POSTs with the same slug all succeed, and each child gets its own name', async () => {
    const container = await createTurtle('', 'names', '<> <urn:p> 1 .', 'BasicContainer');
    const responses = await times(3 * CLIENTS, (i) =>
      i % 3 === 0
        ? post(container, { 'Content-Type': 'image/png', Slug: 'same' }, 'png')
        : post(container, { ...turtle, Slug: 'same' }, '<> <urn:self> <> .'),
    );
    assert.deepEqual(tally(responses.map(({ status }) => status)), { 201: 3 * CLIENTS });
    const locations = responses.map(({ headers }) => headers.get('location') ?? '');
    assert.equal(new Set(locations).size, 3 * CLIENTS);
    const contained = (await triples(container)).filter((line) => line.includes(`<${LDP}contains>`));
    assert.equal(contained.length, 3 * CLIENTS);
    for (const uri of locations.filter((location) => !location.endsWith('.png'))) {
      assert.ok((await triples(uri)).includes(`<${uri}> <urn:self> <${uri}> .`));
    }
  });

  it('L-31, L-40: a POST whose name a PUT takes gets another one, and so do its references', async () => {
    for (let round = 0; round < 10; round++) {
      const container = await createTurtle('', 'mixed', '<> <urn:p> 1 .', 'BasicContainer');
      const [posts, puts] = await Promise.all([
        times(6, () => post(container, { ...turtle, Slug: 'x' }, '<> <urn:self> <> .')),
        times(6, (i) => put(`${container}/x${i === 0 ? '' : `-${i}`}`, turtle, '<> <urn:put> <> .')),
      ]);
      assert.deepEqual(tally(posts.map(({ status }) => status)), { 201: 6 });
      for (const { headers } of posts) {
        const uri = headers.get('location') ?? '';
        assert.ok((await triples(uri)).includes(`<${uri}> <urn:self> <${uri}> .`));
      }
      for (const { status } of puts) assert.ok(status === 201 || status === 428, String(status));
      const made = posts.length + puts.filter(({ status }) => status === 201).length;
      assert.equal(
        (await triples(container)).filter((line) => line.includes(`<${LDP}contains>`)).length,
        made,
      );
    }
  });

  it('one of several PUTs creates a resource, and the others find that it exists', async () => {
    for (const headers of [{}, { 'If-None-Match': '*' }] as Record<string, string>[]) {
      const uri = `${ROOT}/created-once-${Object.keys(headers).length}`;
      const responses = await times(CLIENTS, (i) => put(uri, { ...turtle, ...headers }, `<> <urn:n> ${i} .`));
      const rejected = 'If-None-Match' in headers ? 412 : 428;
      assert.deepEqual(tally(responses.map(({ status }) => status)), { 201: 1, [rejected]: CLIENTS - 1 });
      const winner = responses.findIndex(({ status }) => status === 201);
      assert.ok((await triples(uri)).some((line) => line.includes(`<urn:n> "${winner}"`)));
    }
  });

  it('a POST to a container that is deleted creates a child, or finds the container gone', async () => {
    for (let round = 0; round < 12; round++) {
      const container = await createTurtle('', 'doomed', '<> <urn:p> 1 .', 'BasicContainer');
      const [made, removed] = await Promise.all([
        times(3, () => post(container, { ...turtle, Slug: 'c' }, '<> <urn:p> 1 .')),
        remove(container),
      ]);
      const codes = await Promise.all(
        made.map((response) => (response.status === 201 ? '201' : problemOf(response))),
      );
      if (removed.status === 204) {
        assert.deepEqual(tally(codes), { '410 gone': 3 });
        assert.equal((await get(container)).status, 410);
        assert.equal((await get(`${container}/c`)).status, 404);
      } else {
        assert.equal(await problemOf(removed), '409 container-not-empty');
        assert.ok(codes.includes('201'));
        const contained = (await triples(container)).filter((line) => line.includes(`<${LDP}contains>`));
        assert.equal(contained.length, codes.filter((code) => code === '201').length);
      }
    }
  });

  it('one of several DELETEs succeeds, and the others get 410', async () => {
    const uri = await createTurtle('', 'deleted-once', '<> <urn:p> 1 .');
    const responses = await times(CLIENTS, () => remove(uri));
    assert.deepEqual(tally(responses.map(({ status }) => status)), { 204: 1, 410: CLIENTS - 1 });
  });

  it('a read during writes returns one state, with the tag of that state', async () => {
    const uri = await createTurtle('', 'watched', `<> <urn:a> 0 ; <urn:b> 0 .`);
    let isOver = false;
    const seen = new Map<string, string>();
    const readers = times(6, async () => {
      while (!isOver) {
        const response = await get(uri, { Accept: 'application/n-triples' });
        const text = (await response.text()).split('\n').sort().join('\n');
        const [a] = /(?<=<urn:a> )"\d+"/.exec(text) ?? [];
        assert.ok(text.includes(`<urn:b> ${a}`), text);
        const tag = response.headers.get('etag') ?? '';
        assert.equal(seen.get(tag) ?? text, text);
        seen.set(tag, text);
      }
    });
    for (let i = 1; i <= 40; i++) {
      const response = await put(
        uri,
        { ...turtle, 'If-Match': '*' },
        `${PREFIXES}<> <urn:a> ${i} ; <urn:b> ${i} .`,
      );
      assert.equal(response.status, 200);
      assert.ok((await triples(uri)).some((line) => line.includes(`<urn:a> "${i}"`)));
    }
    isOver = true;
    await readers;
    assert.ok(seen.size > 1);
    assert.ok((await triples(uri)).some((line) => line.includes(`${DCTERMS}modified`)));
  });
});
