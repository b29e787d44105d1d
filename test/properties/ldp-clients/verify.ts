import assert from 'node:assert/strict';
import { type Book, isContainer, type Known, type Model } from './book.ts';
import { counterIn, EX, valueIn } from './client.ts';

const LDP = 'http://www.w3.org/ns/ldp#';

/** Entity tags of all live resources, by URI. */
export type Tags = ReadonlyMap<string, string>;

/**
 * Checks an idle server against the book: existence and tombstones, containment, membership, and
 * that no update was lost. Uncertain entries of the book are settled by it.
 */
export async function verify(book: Book, address: (uri: string) => string): Promise<Tags> {
  const tags = new Map<string, string>();
  for (const known of book.all()) await settleExistence(known, address);
  await adoptLost(book, book.root, address);
  for (const known of book.all()) {
    if (known.deleted === 'no' && isContainer(known.model)) await adoptLost(book, known.uri, address);
  }
  for (const known of book.all()) {
    if (known.deleted !== 'no') continue;
    const response = await fetch(address(known.uri), { headers: { Accept: acceptFor(known.model) } });
    const text = await response.text();
    assert.equal(response.status, 200, `GET ${known.uri}`);
    tags.set(known.uri, response.headers.get('etag') ?? '');
    if (known.model !== 'binary') checkUpdates(known, text);
    if (isContainer(known.model)) checkChildren(book, known.uri, known.model, text);
  }
  const root = await read(book.root, address);
  checkChildren(book, book.root, 'basic', root);
  return tags;
}

async function settleExistence(known: Known, address: (uri: string) => string): Promise<void> {
  const response = await fetch(address(known.uri), { method: 'HEAD' });
  if (known.deleted === 'maybe') known.deleted = response.status === 410 ? 'yes' : 'no';
  assert.equal(response.status, known.deleted === 'yes' ? 410 : 200, `HEAD ${known.uri}`);
  if (known.model !== 'binary') return;
  const meta = await fetch(address(`${known.uri}.meta`), { method: 'HEAD' });
  assert.equal(meta.status, response.status, `HEAD ${known.uri}.meta`);
}

/** Children that nobody was told of exist only where an answer got lost. */
async function adoptLost(book: Book, container: string, address: (uri: string) => string): Promise<void> {
  for (const child of childrenIn(await read(container, address), container)) {
    if (book.get(child)) continue;
    book.lostCreations--;
    assert.ok(book.lostCreations >= 0, `nobody created ${child}`);
    const head = await fetch(address(child), { method: 'HEAD' });
    const model = modelOf(head.headers.get('link') ?? '');
    const topic = /primaryTopic> <([^>]*)>/.exec(await read(child, address))?.[1] ?? null;
    book.add(child, model, container, model === 'binary' ? null : topic);
  }
}

function modelOf(link: string): Model {
  if (link.includes('#NonRDFSource')) return 'binary';
  if (link.includes('#BasicContainer')) return 'basic';
  if (link.includes('#DirectContainer')) return 'direct';
  return link.includes('#IndirectContainer') ? 'indirect' : 'rdf-source';
}

function checkChildren(book: Book, container: string, model: Model, text: string): void {
  const live = book.liveChildren(container);
  assert.deepEqual(
    childrenIn(text, container),
    live.map(({ uri }) => uri).sort(),
    `children of ${container}`,
  );
  const members = live.flatMap(({ uri, topic }) => memberOf(model, uri, topic));
  assert.deepEqual(
    objectsIn(text, container, `${EX}has`),
    [...new Set(members)].sort(),
    `members of ${container}`,
  );
}

function memberOf(model: Model, child: string, topic: string | null): string[] {
  if (model === 'direct') return [child];
  return model === 'indirect' && topic !== null ? [topic] : [];
}

/**
 * Checks that the chain of replaced values that ends with the current one contains every
 * acknowledged PUT, and that every PATCH was counted.
 */
function checkUpdates(known: Known, text: string): void {
  const { replaced, unanswered, counted, countedMaybe } = known;
  let value = valueIn(text);
  const chain = new Set<string>();
  for (let old = replaced.get(value) ?? unanswered.get(value); old !== undefined; ) {
    assert.ok(!chain.has(value), `values of ${known.uri} go in a circle`);
    chain.add(value);
    value = old;
    old = replaced.get(value) ?? unanswered.get(value);
  }
  for (const acknowledged of replaced.keys()) {
    assert.ok(chain.has(acknowledged), `update ${acknowledged} of ${known.uri} is lost`);
  }
  const counter = counterIn(text);
  assert.ok(counter >= counted && counter <= counted + countedMaybe, `counter of ${known.uri}: ${counter}`);
  known.counted = counter;
  known.countedMaybe = 0;
}

function childrenIn(text: string, container: string): string[] {
  return objectsIn(text, container, `${LDP}contains`);
}

/** IRIs that are objects of the property, sorted. */
function objectsIn(text: string, subject: string, property: string): string[] {
  const start = `<${subject}> <${property}> <`;
  const lines = text.split('\n').filter((line) => line.startsWith(start));
  return lines.map((line) => line.slice(start.length, line.indexOf('>', start.length))).sort();
}

async function read(uri: string, address: (uri: string) => string): Promise<string> {
  const response = await fetch(address(uri), { headers: { Accept: 'application/n-triples' } });
  assert.equal(response.status, 200, `GET ${uri}`);
  return response.text();
}

function acceptFor(model: Model): string {
  return model === 'binary' ? '*/*' : 'application/n-triples';
}
