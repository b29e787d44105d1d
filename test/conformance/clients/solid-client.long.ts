/** Inrupt's client of Solid servers against the Linked Data Platform of a real server. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { npmPackage } from './install.ts';
import { serverUrl } from './server-url.ts';

/** A document, container or file, which only the client looks into. */
type Dataset = { readonly dataset: unique symbol };
type Thing = { readonly thing: unique symbol };
/** The client sends no entity tags by itself; a function in place of `fetch` can add them. */
type Options = { readonly fetch: typeof fetch };

/** The part of the client that is used here. */
interface SolidClient {
  createSolidDataset(): Dataset;
  createThing(options: { name?: string; url?: string }): Thing;
  getThing(dataset: Dataset, url: string): Thing | null;
  setThing(dataset: Dataset, thing: Thing): Dataset;
  addStringWithLocale(thing: Thing, property: string, value: string, locale: string): Thing;
  setInteger(thing: Thing, property: string, value: number): Thing;
  getInteger(thing: Thing, property: string): number | null;
  getStringWithLocale(thing: Thing, property: string, locale: string): string | null;
  getSolidDataset(url: string): Promise<Dataset>;
  saveSolidDatasetAt(url: string, dataset: Dataset, options?: Options): Promise<Dataset>;
  saveSolidDatasetInContainer(
    url: string,
    dataset: Dataset,
    options: { slugSuggestion: string },
  ): Promise<Dataset>;
  deleteSolidDataset(url: string): Promise<void>;
  createContainerAt(url: string): Promise<Dataset>;
  createContainerInContainer(url: string, options: { slugSuggestion: string }): Promise<Dataset>;
  deleteContainer(url: string): Promise<void>;
  getContainedResourceUrlAll(container: Dataset): string[];
  getSourceUrl(resource: object): string;
  isRawData(resource: object): boolean;
  getLinkedResourceUrlAll(resource: object): Readonly<Record<string, readonly string[]>>;
  getResourceInfo(url: string): Promise<object>;
  saveFileInContainer(url: string, file: Blob, options: { slug: string }): Promise<object>;
  overwriteFile(url: string, file: Blob, options?: Options): Promise<object>;
  getFile(url: string): Promise<Blob>;
  deleteFile(url: string): Promise<void>;
}

const NAME = 'http://example.org/name';
const AGE = 'http://example.org/age';

/** The client and the root container of a new server, or undefined if npm cannot install it. */
async function solid(
  context: TestContext,
  ...args: string[]
): Promise<{ readonly client: SolidClient; readonly root: string } | undefined> {
  const client = await npmPackage('@inrupt/solid-client', '3.0.0');
  if (client !== undefined) {
    return { client: client as SolidClient, root: `${await serverUrl(context, ...args)}/ldp` };
  }
  context.skip('npm could not install @inrupt/solid-client');
  return undefined;
}

test('solid-client: saves, reads, changes and deletes a document', async (context) => {
  const { client, root } = (await solid(context)) ?? {};
  if (!client) return;
  const url = `${root}/people`;
  const zoe = client.addStringWithLocale(client.createThing({ name: 'zoe' }), NAME, 'Zoë "Z"', 'nl');
  const document = client.setThing(client.createSolidDataset(), client.setInteger(zoe, AGE, 41));
  await client.saveSolidDatasetAt(url, document);

  const stored = await client.getSolidDataset(url);
  const ifUnchanged = await onlyIfUnchanged(url);
  const read = client.getThing(stored, `${url}#zoe`);
  assert.ok(read);
  assert.equal(client.getStringWithLocale(read, NAME, 'nl'), 'Zoë "Z"');
  const changes = client.setThing(stored, client.setInteger(read, AGE, 42));
  await client.saveSolidDatasetAt(url, changes, ifUnchanged);
  const changed = client.getThing(await client.getSolidDataset(url), `${url}#zoe`);
  assert.ok(changed);
  assert.equal(client.getInteger(changed, AGE), 42);
  assert.equal(client.getStringWithLocale(changed, NAME, 'nl'), 'Zoë "Z"');

  await assert.rejects(client.saveSolidDatasetAt(url, document), /\[412\]/, 'it exists already');
  const stale = client.setThing(stored, client.setInteger(read, AGE, 43));
  await assert.rejects(client.saveSolidDatasetAt(url, stale, ifUnchanged), /\[412\]/);
  await client.deleteSolidDataset(url);
  await assert.rejects(client.getSolidDataset(url), /\[410\]/);
});

test('solid-client: creates containers and lists what is in them', async (context) => {
  const { client, root } = (await solid(context)) ?? {};
  if (!client) return;
  await client.createContainerAt(`${root}/notes/`);
  const inner = await client.createContainerInContainer(`${root}/notes/`, { slugSuggestion: 'inner' });
  assert.equal(client.getSourceUrl(inner), `${root}/notes/inner`);
  const thing = client.setInteger(client.createThing({ name: 'it' }), AGE, 1);
  const document = client.setThing(client.createSolidDataset(), thing);
  const saved = await client.saveSolidDatasetInContainer(`${root}/notes/`, document, {
    slugSuggestion: 'first',
  });
  assert.equal(client.getSourceUrl(saved), `${root}/notes/first`);

  const container = await client.getSolidDataset(`${root}/notes/`);
  assert.deepEqual(client.getContainedResourceUrlAll(container).sort(), [
    `${root}/notes/first`,
    `${root}/notes/inner`,
  ]);
  assert.deepEqual(client.getLinkedResourceUrlAll(container)['type']?.toSorted(), [
    'http://www.w3.org/ns/ldp#BasicContainer',
    'http://www.w3.org/ns/ldp#Container',
    'http://www.w3.org/ns/ldp#RDFSource',
    'http://www.w3.org/ns/ldp#Resource',
  ]);
  await assert.rejects(client.deleteContainer(`${root}/notes/`), /\[409\]/, 'it is not empty');
  await client.deleteSolidDataset(`${root}/notes/first`);
  await client.deleteContainer(`${root}/notes/inner/`);
  await client.deleteContainer(`${root}/notes/`);
});

test('solid-client: stores files, and replaces them if it sends their entity tag', async (context) => {
  const { client, root = '' } = (await solid(context)) ?? {};
  if (!client) return;
  const saved = await client.saveFileInContainer(root, text('Hello!'), { slug: 'hello.txt' });
  const url = client.getSourceUrl(saved);
  assert.equal(url, `${root}/hello.txt`);
  assert.equal(client.isRawData(await client.getResourceInfo(url)), true);
  assert.equal(await (await client.getFile(url)).text(), 'Hello!');

  await assert.rejects(client.overwriteFile(url, text('Again')), /\[428\]/, 'without its entity tag');
  const ifUnchanged = await onlyIfUnchanged(url);
  await client.overwriteFile(url, text('Again'), ifUnchanged);
  await assert.rejects(client.overwriteFile(url, text('Once more'), ifUnchanged), /\[412\]/);
  assert.equal(await (await client.getFile(url)).text(), 'Again');
  await client.overwriteFile(`${root}/new.txt`, text('New'));
  assert.equal(await (await client.getFile(`${root}/new.txt`)).text(), 'New');
  await client.deleteFile(url);
  await assert.rejects(client.getFile(url), /\[410\]/);
});

test('solid-client: replaces files without their entity tag with --ldp-if-match optional', async (context) => {
  const { client, root } = (await solid(context, '--ldp-if-match', 'optional')) ?? {};
  if (!client) return;
  await client.overwriteFile(`${root}/note.txt`, text('One'));
  await client.overwriteFile(`${root}/note.txt`, text('Two'));
  assert.equal(await (await client.getFile(`${root}/note.txt`)).text(), 'Two');
});

/** Sends the current entity tag of a document or file with each request. */
async function onlyIfUnchanged(url: string): Promise<Options> {
  const tag = (await fetch(url, { method: 'HEAD' })).headers.get('etag') ?? '';
  return {
    fetch: (target, init) =>
      fetch(target, { ...init, headers: { ...(init?.headers as object), 'If-Match': tag } }),
  };
}

function text(content: string): Blob {
  return new Blob([content], { type: 'text/plain' });
}
