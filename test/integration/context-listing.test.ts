import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const COUNT = 3000;
const LABEL = 'http://www.w3.org/2000/01/rdf-schema#label';

interface Entry {
  readonly uri: string;
  readonly label: string;
  readonly size: number;
}

function nameOf(index: number): string {
  return `urn:many:${String(index).padStart(5, '0')}`;
}

describe('the list of thousands of graphs', () => {
  const server = sharedServer(async (scope) => {
    const file = join(await temporaryDirectory(scope), 'many.nq');
    const quads = Array.from(
      { length: COUNT },
      (_, index) => `<${nameOf(index)}> <${LABEL}> "No. ${index}" <${nameOf(index)}> .\n`,
    );
    writeFileSync(file, quads.join(''));
    return ['--memory', '--threads', '2', '--load', file];
  });
  const list = async <T>(query = '') =>
    (await (await fetch(`${server.url}/context/list?${query}`)).json()) as T[];
  const graph = (name: string) => `${server.url}/context?graph=${encodeURIComponent(name)}`;
  const put = (name: string) =>
    fetch(graph(name), {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: '<urn:a> <urn:b> 1 .',
    });

  it('is the sum of its pages, with and without labels', async () => {
    const names = await list<string>();
    assert.equal(names.length, COUNT + 1);
    const entries = await list<Entry>('labels');
    assert.deepEqual(
      entries.map(({ uri }) => uri),
      names,
    );
    assert.deepEqual(entries.at(-1), { uri: nameOf(COUNT - 1), label: `No. ${COUNT - 1}`, size: 1 });
    const pages: string[] = [];
    const described: Entry[] = [];
    for (let offset = 0; offset <= COUNT; offset += 700) {
      pages.push(...(await list<string>(`offset=${offset}&limit=700`)));
      described.push(...(await list<Entry>(`labels&offset=${offset}&limit=700`)));
    }
    assert.deepEqual(pages, names);
    assert.deepEqual(described, entries);
    assert.deepEqual(await list(`offset=${COUNT + 1}`), []);
    assert.deepEqual(await list('limit=0'), []);
    assert.equal((await list('filter')).length, 1);
    const head = await fetch(`${server.url}/context/list?labels`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/json']);
  });

  it('has every lasting graph once while others are created', async () => {
    const before = await list<string>();
    let isOver = false;
    const created: string[] = [];
    const creating = (async () => {
      for (let i = 0; !isOver; i++) {
        const name = `${nameOf((i * 7) % COUNT)}/${i}`;
        assert.equal((await put(name)).status, 201);
        created.push(name);
      }
    })();
    for (let round = 0; round < 20; round++) {
      const query = round % 2 === 0 ? '' : 'labels';
      const found = (await list<string | Entry>(query)).map((entry) =>
        typeof entry === 'string' ? entry : entry.uri,
      );
      assert.deepEqual(found, [...new Set(found)].sort());
      const known = new Set(found);
      assert.ok(before.every((name) => known.has(name)));
    }
    isOver = true;
    await creating;
    for (const name of created) assert.equal((await fetch(graph(name), { method: 'DELETE' })).status, 200);
    assert.deepEqual(await list(), before);
  });

  it('is complete again after clients that closed their connections in the middle', async () => {
    const { hostname, port } = new URL(server.url);
    for (const query of ['', '?labels']) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /context/list${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    assert.ok((await list('labels')).length > COUNT);
  });
});
