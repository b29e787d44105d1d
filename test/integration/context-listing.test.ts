import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startServer } from '../support/server-process.ts';
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

test('the listing of thousands of graphs', async (context) => {
  const file = join(await temporaryDirectory(context), 'many.nq');
  const quads = Array.from(
    { length: COUNT },
    (_, index) => `<${nameOf(index)}> <${LABEL}> "No. ${index}" <${nameOf(index)}> .\n`,
  );
  writeFileSync(file, quads.join(''));
  const { url } = await startServer(context, ['--memory', '--threads', '2', '--load', file]);
  const list = async <T>(query = '') => (await (await fetch(`${url}/context/list?${query}`)).json()) as T[];
  const put = (name: string) =>
    fetch(`${url}/context?graph=${encodeURIComponent(name)}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: '<urn:a> <urn:b> 1 .',
    });

  await context.test('is the sum of its pages, with labels and without', async () => {
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
    const head = await fetch(`${url}/context/list?labels`, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/json']);
  });

  await context.test('has each graph once that stays while others come', async () => {
    const before = await list<string>();
    let isOver = false;
    const coming = (async () => {
      for (let i = 0; !isOver; i++) assert.equal((await put(`${nameOf((i * 7) % COUNT)}/${i}`)).status, 201);
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
    await coming;
  });

  await context.test('can be left in the middle, and asked for again', async () => {
    const { hostname, port } = new URL(url);
    for (const query of ['', '?labels']) {
      const socket = connect(Number(port), hostname);
      socket.write(`GET /context/list${query} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    assert.ok((await list('labels')).length > COUNT);
  });
});
