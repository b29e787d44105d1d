import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  DCTERMS,
  type Headers,
  LDP,
  ldpClient,
  linksOf,
  model,
  PREFIXES,
  problemOf,
  ROOT,
  turtle,
  typesOf,
} from '../support/ldp-client.ts';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const TITLE = `<> <${DCTERMS}title> "T" .`;
const UUID = /\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const sparql: Headers = { 'Content-Type': 'application/sparql-update' };
const rdfPatch: Headers = { 'Content-Type': 'application/rdf-patch' };

describe('writes of LDP resources', () => {
  const server = sharedServer([
    '--memory',
    '--threads',
    '1',
    '--max-rdf-body',
    '64KiB',
    '--max-patch',
    '4KiB',
  ]);
  const client = ldpClient(server);
  const { get, head, post, put, patch, remove, create, createTurtle, triples, tagOf } = client;

  describe('POST to a container', () => {
    it('5.6, L-30, L-36, L-38: returns 201 with Location and the links of the container', async () => {
      const before = await tagOf('');
      const response = await post('', turtle, TITLE);
      assert.equal(response.status, 201);
      const uri = response.headers.get('location') ?? '';
      assert.match(uri, UUID);
      assert.equal(await response.text(), '');
      assert.equal(response.headers.get('etag'), null);
      assert.deepEqual(typesOf(response), ['Resource', 'RDFSource', 'Container', 'BasicContainer']);
      assert.notEqual(await tagOf(''), before);
      assert.ok((await triples('')).includes(`<${ROOT}> <${LDP}contains> <${uri}> .`));
      assert.ok((await triples(uri)).includes(`<${uri}> <${DCTERMS}title> "T" .`));
    });

    it('L-31, L-32: derives the name from the slug', async () => {
      const named = (slug: string, type = 'text/turtle') =>
        create('', { 'Content-Type': type, Slug: slug }, '');
      assert.equal(await named('with some späcial chars'), `${ROOT}/with-some-sp-cial-chars`);
      assert.equal(await named('a/b'), `${ROOT}/a-b`);
      assert.equal(await named('..dots.'), `${ROOT}/dots.`);
      assert.equal(await named('x.meta'), `${ROOT}/x-meta`);
      assert.equal(await named('a%20b'), `${ROOT}/a-b-1`);
      assert.equal(await named('a-b'), `${ROOT}/a-b-2`);
      assert.match(await named('...'), UUID);
      assert.equal(await named('test', 'image/png'), `${ROOT}/test.png`);
      assert.equal(await named('test', 'image/png'), `${ROOT}/test-1.png`);
      assert.equal((await remove('/a-b-1')).status, 204);
      assert.equal(await named('a-b'), `${ROOT}/a-b-3`);
    });

    it('L-33: makes a binary of a body without type, and an empty RDF source of no body', async () => {
      const empty = await create('', { Slug: 'empty' });
      assert.deepEqual(typesOf(await head(empty)), ['Resource', 'RDFSource']);
      const emptyContainer = await create('', { ...model('BasicContainer') });
      assert.ok(typesOf(await head(emptyContainer)).includes('BasicContainer'));
      const bytes = await create('', {}, 'bytes');
      assert.equal((await get(bytes)).headers.get('content-type'), 'application/octet-stream');
      const nothing = await create('', { 'Content-Type': 'image/png' });
      assert.deepEqual(await (await get(nothing)).text(), '');
    });

    it('L-34: chooses the kind by media type, unless a link asks for a binary', async () => {
      const made = async (type: string, body: string, ...models: string[]) => {
        const uri = await create(
          '',
          { 'Content-Type': type, ...(models.length > 0 && model(...models)) },
          body,
        );
        const response = await get(uri, { Accept: '*/*' });
        return [typesOf(response).at(-1), response.headers.get('content-type')];
      };
      assert.deepEqual(await made('application/n-triples', '<urn:s> <urn:p> <urn:o> .'), [
        'RDFSource',
        'text/turtle',
      ]);
      assert.deepEqual(await made('application/json', '{"@id": "", "urn:p": 1}'), [
        'RDFSource',
        'text/turtle',
      ]);
      assert.deepEqual(await made('text/turtle; charset=ISO-8859-1', TITLE), ['RDFSource', 'text/turtle']);
      assert.deepEqual(await made('text/plain', 'no RDF'), ['NonRDFSource', 'text/plain']);
      assert.deepEqual(await made('text/plain; charset=latin1', 'x'), [
        'NonRDFSource',
        'text/plain; charset=latin1',
      ]);
      assert.deepEqual(await made('image/png; charset=UTF-8', 'x'), ['NonRDFSource', 'image/png']);
      assert.deepEqual(await made('text/this-is-not-turtle', TITLE), [
        'NonRDFSource',
        'text/this-is-not-turtle',
      ]);
      assert.deepEqual(await made('text/turtle', 'anything', 'NonRDFSource'), [
        'NonRDFSource',
        'text/turtle',
      ]);
      assert.deepEqual(await made('image/png', 'x', 'Resource'), ['NonRDFSource', 'image/png']);
    });

    it('rejects containers made of bytes, unknown charsets and unknown codings with 415', async () => {
      const rejected = async (headers: Headers, body = 'x') => {
        const response = await post('', headers, body);
        return [response.headers.get('accept-post') !== null, await problemOf(response)];
      };
      const png = { 'Content-Type': 'image/png' };
      assert.deepEqual(await rejected({ ...png, ...model('BasicContainer') }), [
        true,
        '415 unsupported-media-type',
      ]);
      assert.deepEqual(await rejected({ ...png, ...model('RDFSource') }), [
        true,
        '415 unsupported-media-type',
      ]);
      assert.deepEqual(await rejected({ 'Content-Type': 'nonsense' }), [true, '415 unsupported-media-type']);
      assert.deepEqual(await rejected({ 'Content-Type': 'text/turtle; charset=none' }), [
        true,
        '415 unsupported-media-type',
      ]);
      assert.deepEqual(await rejected({ ...turtle, 'Content-Encoding': 'br' }), [
        true,
        '415 unsupported-coding',
      ]);
      assert.deepEqual(await rejected({ ...png, 'Content-Encoding': 'gzip' }), [
        true,
        '415 unsupported-coding',
      ]);
    });

    it('rejects with 415 before 412 before 400, and a body that is too long with 413', async () => {
      assert.equal(await problemOf(await post('', turtle, '<> <')), '400 parse-error');
      const remote = await post(
        '',
        { 'Content-Type': 'application/ld+json' },
        '{"@context": "http://example.org/c", "a": 1}',
      );
      assert.equal(await problemOf(remote), '400 remote-context');
      assert.equal(
        await problemOf(await post('', { ...turtle, 'If-Match': '"no"' }, '<> <')),
        '412 precondition-failed',
      );
      assert.equal((await post('', { ...turtle, 'If-Match': await tagOf('') }, TITLE)).status, 201);
      assert.equal(
        await problemOf(await post('', { ...turtle, 'If-Match': '"no"', 'Content-Encoding': 'br' }, 'x')),
        '415 unsupported-coding',
      );
      assert.equal(await problemOf(await post('', turtle, 'x'.repeat(70_000))), '413 too-large');
      const compressed = gzipSync(`${TITLE}${' '.repeat(100_000)}`);
      assert.equal(
        await problemOf(await post('', { ...turtle, 'Content-Encoding': 'gzip' }, compressed)),
        '413 too-large',
      );
      const small = gzipSync(TITLE);
      assert.equal((await post('', { ...turtle, 'Content-Encoding': 'gzip' }, small)).status, 201);
    });

    it('5.8, L-35: takes the interaction model from links and from the body', async () => {
      const made = async (headers: Headers, body: string) => {
        const response = await post('', { ...turtle, ...headers }, PREFIXES + body);
        if (response.status !== 201) return problemOf(response);
        return typesOf(await head(response.headers.get('location') ?? '')).at(-1);
      };
      assert.equal(await made({}, TITLE), 'RDFSource');
      assert.equal(await made(model('Container'), TITLE), 'BasicContainer');
      assert.equal(await made(model('Resource', 'DirectContainer'), TITLE), 'DirectContainer');
      assert.equal(await made({ Link: `<${LDP}BasicContainer>; rel="up type"` }, TITLE), 'BasicContainer');
      assert.equal(
        await made({ Link: `<${LDP}BasicContainer>; rel=type, <urn:x>; rel=next` }, TITLE),
        'BasicContainer',
      );
      assert.equal(await made({}, '<> a ldp:BasicContainer .'), 'BasicContainer');
      assert.equal(await made({}, '<> a ldp:Container .'), 'BasicContainer');
      assert.equal(await made(model('Resource'), '<> a ldp:BasicContainer .'), 'RDFSource');
      const both = `<${LDP}BasicContainer>; rel=type, <${LDP}DirectContainer>; rel=type`;
      assert.equal(await made({ Link: both }, TITLE), '400 bad-interaction-model');
      assert.equal(await made(model('NonRDFSource', 'RDFSource'), TITLE), '400 bad-interaction-model');
      assert.equal(
        await made({ Link: '<http://example.org/T>; rel="type"' }, TITLE),
        '400 bad-interaction-model',
      );
      assert.equal(
        await made({}, '<> a ldp:BasicContainer, ldp:DirectContainer .'),
        '400 bad-interaction-model',
      );
    });

    it('L-53: stores a container type that has no effect as an ordinary triple', async () => {
      const uri = await create(
        '',
        { ...turtle, ...model('Resource') },
        `${PREFIXES}<> a ldp:BasicContainer .`,
      );
      assert.match(await (await get(uri)).text(), /BasicContainer/);
      assert.equal(await problemOf(await post(uri, turtle, TITLE)), '405 method-not-allowed');
    });

    it('L-40: resolves relative references against the URI of the new resource', async () => {
      const uri = await createTurtle('', 'base', '<> <urn:p> <other>, <#part> .');
      const found = await triples(uri);
      assert.ok(found.includes(`<${uri}> <urn:p> <${ROOT}/other> .`));
      assert.ok(found.includes(`<${uri}> <urn:p> <${uri}#part> .`));
      // The name was taken, so the references are relative to another one.
      const second = await createTurtle('', 'base', '<> <urn:p> <#part> .');
      assert.equal(second, `${uri}-1`);
      assert.ok((await triples(second)).includes(`<${second}> <urn:p> <${second}#part> .`));
    });

    it('L-41: ignores or rejects managed properties in the body', async () => {
      const dated = await createTurtle(
        '',
        'dated',
        '<> dcterms:created "long ago" ; a ldp:Resource, ldp:RDFSource .',
      );
      const created = (await triples(dated)).filter((line) => line.includes(`${DCTERMS}created`));
      assert.equal(created.length, 1);
      assert.doesNotMatch(created[0] ?? '', /long ago/);
      const contains = await post('', turtle, `${PREFIXES}<> ldp:contains <urn:x:y> .`);
      const problem = (await contains.json()) as { code: string; properties: string[] };
      assert.deepEqual(
        [contains.status, problem.code, problem.properties],
        [409, 'constraint-violation', [`${LDP}contains`]],
      );
      assert.ok(linksOf(contains).includes(`${LDP}constrainedBy ${BASE}/constraints/ldp`));
      assert.equal(
        await problemOf(await post('', turtle, `${PREFIXES}<> a ldp:NonRDFSource .`)),
        '409 type-conflict',
      );
    });

    it('G-101: keeps equal blank node labels of two bodies apart', async () => {
      const one = await createTurtle('', 'blank', '<> <urn:p> _:b . _:b <urn:q> 1 .');
      const two = await createTurtle('', 'blank', '<> <urn:p> _:b . _:b <urn:q> 2 .');
      const labels = await Promise.all(
        [one, two].map(async (uri) => /_:\S+/.exec((await triples(uri)).join('\n'))?.[0]),
      );
      assert.notEqual(labels[0], labels[1]);
    });
  });

  describe('PUT', () => {
    it('L-61, L-62: replaces the user triples and keeps the managed ones, after GET and an edit', async () => {
      const uri = await createTurtle('', 'edited', '<> dcterms:title "old" ; <urn:p> 1 .');
      const read = await get(uri);
      const text = (await read.text()).replace('"old"', '"new"');
      const replaced = await put(uri, { ...turtle, 'If-Match': read.headers.get('etag') ?? '' }, text);
      assert.deepEqual([replaced.status, replaced.headers.get('etag')], [200, null]);
      const after = await triples(uri);
      assert.deepEqual(
        after.filter((line) => line.includes(`${DCTERMS}title`)),
        [`<${uri}> <${DCTERMS}title> "new" .`],
      );
      const bare = await put(uri, { ...turtle, 'If-Match': '*' }, TITLE);
      assert.equal(bare.status, 200);
      assert.equal(
        (await triples(uri)).some((line) => line.includes('urn:p')),
        false,
      );
      assert.equal((await triples(uri)).filter((line) => line.includes(`${DCTERMS}created`)).length, 1);
    });

    it('G-72: keeps tag and dates when it changes nothing', async () => {
      const uri = await createTurtle('', 'same', TITLE);
      const [tag, before] = [await tagOf(uri), await triples(uri)];
      assert.equal((await put(uri, { ...turtle, 'If-Match': tag }, TITLE)).status, 200);
      assert.equal(await tagOf(uri), tag);
      assert.deepEqual(await triples(uri), before);
    });

    it('5.9, L-63, G-76: rejects with 415, 428, 412, 400 and 409, in this order', async () => {
      const uri = await createTurtle('', 'ordered', TITLE);
      const tag = await tagOf(uri);
      const bad = `${PREFIXES}<> dcterms:created "never" .`;
      assert.equal(
        await problemOf(await put(uri, { 'Content-Type': 'text/turtle; charset=none' }, '<')),
        '415 unsupported-media-type',
      );
      assert.equal(await problemOf(await put(uri, turtle, '<')), '428 precondition-required');
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-Match': '"x-turtle"' }, '<')),
        '412 precondition-failed',
      );
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-Match': `W/${tag}` }, '<')),
        '412 precondition-failed',
      );
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-None-Match': '*' }, '<')),
        '412 precondition-failed',
      );
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-None-Match': '"x"' }, '<')),
        '428 precondition-required',
      );
      const past = 'Thu, 01 Jan 2015 00:00:00 GMT';
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-Unmodified-Since': past }, '<')),
        '412 precondition-failed',
      );
      assert.equal(await problemOf(await put(uri, { ...turtle, 'If-Match': tag }, '<')), '400 parse-error');
      assert.equal(
        await problemOf(await put(uri, { ...turtle, 'If-Match': tag }, bad)),
        '409 constraint-violation',
      );
      const future = 'Fri, 01 Jan 2100 00:00:00 GMT';
      assert.equal((await put(uri, { ...turtle, 'If-Unmodified-Since': future }, TITLE)).status, 200);
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      assert.equal(
        await problemOf(await put(binary, { ...turtle, 'If-Match': '"no"' }, TITLE)),
        '412 precondition-failed',
      );
    });

    it('L-12, L-62: rejects a changed managed property, and names it', async () => {
      const uri = await createTurtle('', 'managed', TITLE);
      for (const property of ['created', 'modified']) {
        const response = await put(
          uri,
          { ...turtle, 'If-Match': '*' },
          `${PREFIXES}<> dcterms:${property} "x" .`,
        );
        assert.ok(linksOf(response).some((link) => link.startsWith(`${LDP}constrainedBy `)));
        const problem = (await response.json()) as { properties: string[] };
        assert.deepEqual([response.status, problem.properties], [409, [`${DCTERMS}${property}`]]);
      }
    });

    it('L-55: rejects links and bodies that would change the kind of a resource', async () => {
      const source = await createTurtle('', 'fixed', TITLE);
      const container = await createTurtle('', 'fixed', TITLE, 'BasicContainer');
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      const rejected = async (uri: string, headers: Headers, body: string) =>
        problemOf(await put(uri, { 'If-Match': '*', ...turtle, ...headers }, body));
      const conflict = '409 type-conflict';
      assert.equal(await rejected(source, model('BasicContainer'), TITLE), conflict);
      assert.equal(await rejected(source, model('BasicContainer'), '<'), '400 parse-error');
      assert.equal(await rejected(container, model('RDFSource'), TITLE), conflict);
      assert.equal(await rejected(container, model('DirectContainer'), TITLE), conflict);
      assert.equal(await rejected(source, { 'Content-Type': 'image/png' }, 'x'), conflict);
      assert.equal(await rejected(binary, {}, TITLE), conflict);
      assert.equal(await rejected(source, {}, `${PREFIXES}<> a ldp:BasicContainer .`), conflict);
      assert.equal(
        (await put(container, { ...turtle, 'If-Match': '*', ...model('BasicContainer') }, TITLE)).status,
        200,
      );
    });

    it('L-65: keeps the children of a container', async () => {
      const container = await createTurtle('', 'parent', TITLE, 'BasicContainer');
      const child = await createTurtle(container, 'child', TITLE);
      const text = await (await get(container)).text();
      const tag = await tagOf(container);
      assert.equal(
        (await put(container, { ...turtle, 'If-Match': tag }, `<> <${DCTERMS}title> "new" .`)).status,
        200,
      );
      assert.ok((await triples(container)).includes(`<${container}> <${LDP}contains> <${child}> .`));
      const more = `${text}\n<${container}> <${LDP}contains> <${container}/other> .`;
      const rejected = await put(container, { ...turtle, 'If-Match': await tagOf(container) }, more);
      assert.equal(await problemOf(rejected), '409 constraint-violation');
    });

    it('L-66: creates a resource and all missing containers above it', async () => {
      const response = await put('/x/y/z', turtle, '<> <urn:p> <#a> .');
      assert.deepEqual([response.status, response.headers.get('location')], [201, `${ROOT}/x/y/z`]);
      assert.equal(response.headers.get('etag'), null);
      assert.ok((await triples('/x/y/z')).includes(`<${ROOT}/x/y/z> <urn:p> <${ROOT}/x/y/z#a> .`));
      for (const [parent, child] of [
        ['', '/x'],
        ['/x', '/x/y'],
        ['/x/y', '/x/y/z'],
      ] as const) {
        assert.ok(
          (await triples(parent)).includes(`<${ROOT}${parent}> <${LDP}contains> <${ROOT}${child}> .`),
        );
      }
      assert.ok(typesOf(await head('/x/y')).includes('BasicContainer'));
      assert.equal((await put('/made', { ...turtle, ...model('BasicContainer') }, TITLE)).status, 201);
      assert.equal((await post('/made', turtle, TITLE)).status, 201);
      assert.equal(
        await problemOf(await put('/missing', { ...turtle, 'If-Match': '*' }, TITLE)),
        '412 precondition-failed',
      );
      assert.equal((await put('/missing', { ...turtle, 'If-None-Match': '*' }, TITLE)).status, 201);
      assert.equal(await problemOf(await put('/x/y/z/child', turtle, TITLE)), '409 parent-not-container');
      const gone = await createTurtle('', 'tomb', TITLE, 'BasicContainer');
      await remove(gone);
      assert.equal(await problemOf(await put(`${gone}/child`, turtle, TITLE)), '409 parent-gone');
      assert.equal(await problemOf(await put(gone, turtle, TITLE)), '410 gone');
    });

    it('L-67: replaces a description like any RDF source', async () => {
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      const description = `${binary}.meta`;
      const read = await get(description);
      const text = `${await read.text()}\n<${binary}> <${DCTERMS}title> "A picture" .`;
      const tag = read.headers.get('etag') ?? '';
      assert.equal((await put(description, { ...turtle, 'If-Match': tag }, text)).status, 200);
      assert.ok((await triples(description)).includes(`<${binary}> <${DCTERMS}title> "A picture" .`));
      const other = `<${binary}> <${DCTERMS}extent> 5 .`;
      const rejected = await put(description, { ...turtle, 'If-Match': await tagOf(description) }, other);
      assert.equal(await problemOf(rejected), '409 constraint-violation');
    });
  });

  describe('PATCH', () => {
    const createOld = () => createTurtle('', 'patched', '<> dcterms:title "old" ; <urn:p> 1 .');

    it('L-70: applies SPARQL Update to the representation, and returns 204 with the new tag', async () => {
      const uri = await createOld();
      const update = `DELETE { <> <${DCTERMS}title> ?t } INSERT { <> <${DCTERMS}title> "new" } WHERE { <> <${DCTERMS}title> ?t }`;
      const before = await tagOf(uri);
      const patched = await patch(uri, { ...sparql, 'If-Match': before }, update);
      assert.equal(patched.status, 204);
      assert.notEqual(await tagOf(uri), before);
      assert.equal(patched.headers.get('etag'), await tagOf(uri));
      assert.ok((await triples(uri)).includes(`<${uri}> <${DCTERMS}title> "new" .`));
      const several =
        'INSERT DATA { <> <urn:q> 1 } ; DELETE DATA { <> <urn:p> 1 } ; DELETE WHERE { <> <urn:none> ?x }';
      assert.equal((await patch(uri, sparql, several)).status, 204);
      const after = await triples(uri);
      assert.ok(
        after.some((line) => line.includes('urn:q')) && !after.some((line) => line.includes('urn:p>')),
      );
    });

    it('L-71: applies the line dialect of RDF Patch', async () => {
      const uri = await createOld();
      const lines = `@prefix dcterms: <${DCTERMS}> .\nD <> dcterms:title "old" .\nA R R "newer"@en .\n# done\n`;
      assert.equal((await patch(uri, rdfPatch, lines)).status, 204);
      assert.ok((await triples(uri)).includes(`<${uri}> <${DCTERMS}title> "newer"@en .`));
    });

    it('L-72: keeps tag and dates when it has no effect', async () => {
      const uri = await createOld();
      const [tag, before] = [await tagOf(uri), await triples(uri)];
      const same = await patch(uri, sparql, 'INSERT DATA { <> <urn:p> 1 } ; DELETE DATA { <> <urn:no> 1 }');
      assert.deepEqual([same.status, same.headers.get('etag')], [204, tag]);
      assert.deepEqual(await triples(uri), before);
    });

    it('5.10: rejects patches of both types with 400, 405, 409, 410, 412, 413, 415 and 422', async () => {
      const uri = await createOld();
      const [tag, before] = [await tagOf(uri), await triples(uri)];
      const rejected = async (headers: Headers, body: string) => problemOf(await patch(uri, headers, body));
      assert.equal(await rejected(sparql, 'INSERT DATA { <> '), '400 parse-error');
      assert.equal(await rejected(rdfPatch, 'A <> <urn:p>'), '400 parse-error');
      assert.equal(await rejected(rdfPatch, 'A R <urn:p> 1 .'), '400 parse-error');
      assert.equal(
        await rejected(sparql, `INSERT DATA { <> <${LDP}contains> <urn:x> }`),
        '409 constraint-violation',
      );
      assert.equal(await rejected(rdfPatch, `A <> <${DCTERMS}created> "x" .`), '409 constraint-violation');
      assert.equal(await rejected(sparql, `DELETE WHERE { <> a ?type }`), '409 constraint-violation');
      assert.equal(await rejected({ ...sparql, 'If-Match': '"no"' }, 'nonsense'), '412 precondition-failed');
      assert.equal(
        await rejected({ ...rdfPatch, 'If-None-Match': '*' }, 'nonsense'),
        '412 precondition-failed',
      );
      assert.equal(await rejected(sparql, ' '.repeat(5000)), '413 too-large');
      assert.equal(await rejected(sparql, 'CLEAR ALL'), '422 unsupported-patch');
      assert.equal(
        await rejected(sparql, 'INSERT DATA { GRAPH <urn:g> { <> <urn:p> 1 } }'),
        '422 unsupported-patch',
      );
      assert.equal(await rejected(rdfPatch, 'D <> <urn:p> _:b .'), '422 unsupported-patch');
      const other = await patch(uri, turtle, TITLE);
      assert.equal(other.headers.get('accept-patch'), 'application/sparql-update, application/rdf-patch');
      assert.equal(await problemOf(other), '415 unsupported-media-type');
      assert.equal(await problemOf(await patch(uri)), '415 unsupported-media-type');
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      const method = await patch(binary, sparql, 'INSERT DATA { <> <urn:p> 1 }');
      assert.equal(method.headers.get('allow'), 'GET, HEAD, PUT, DELETE, OPTIONS');
      assert.equal(await problemOf(method), '405 method-not-allowed');
      const gone = await createTurtle('', 'gone', TITLE);
      await remove(gone);
      assert.equal(await problemOf(await patch(gone, sparql, 'nonsense')), '410 gone');
      // No rejected patch has changed anything (L-72, G-23).
      assert.deepEqual([await tagOf(uri), await triples(uri)], [tag, before]);
    });

    it('patches a description, whose triples about the binary are visible to the patch', async () => {
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      const update = `INSERT { <> <urn:type> ?t } WHERE { <${binary}> <${DCTERMS}format> ?t }`;
      assert.equal((await patch(`${binary}.meta`, sparql, update)).status, 204);
      assert.match(await (await get(`${binary}.meta`)).text(), /<urn:type> "image\/png"/);
    });

    it('section 6.3: is a task of the group LDP, which can be cancelled', async () => {
      const values = Array.from({ length: 60 }, (_, i) => i).join(', ');
      const uri = await createTurtle('', 'long', `<> <urn:p> ${values} .`);
      const tag = await tagOf(uri);
      const join = ['a', 'b', 'c', 'd', 'e'].map((name) => `?${name} <urn:p> ?${name}${name} .`).join(' ');
      const patched = patch(
        uri,
        sparql,
        `INSERT { <> <urn:q> 1 } WHERE { ${join} FILTER(?aa + ?bb + ?cc + ?dd + ?ee < 0) }`,
      );
      for (;;) {
        const tasks = (await (await fetch(`${server.url}/tasks/LDP`)).json()) as Record<
          string,
          { name: string }[]
        >;
        const [task] = tasks['LDP'] ?? [];
        if (!task) continue;
        assert.match(task.name, /^LDP patch \d+$/);
        const cancelled = await fetch(`${server.url}/tasks/LDP/${encodeURIComponent(task.name)}`, {
          method: 'DELETE',
        });
        assert.equal(cancelled.status, 204);
        break;
      }
      assert.equal(await problemOf(await patched), '503 cancelled');
      assert.equal(await tagOf(uri), tag);
    });
  });

  describe('DELETE', () => {
    const createFamily = async () => {
      const container = await createTurtle('', 'c', TITLE, 'BasicContainer');
      return { container, child: await createTurtle(container, 'x', TITLE) };
    };

    it('5.11, L-81: rejects the deletion of a container that is not empty', async () => {
      const { container, child } = await createFamily();
      assert.equal(await problemOf(await remove(container)), '409 container-not-empty');
      assert.equal((await get(child)).status, 200);
    });

    it('5.11, L-80: returns 204 without validators, and updates containment, triples and tags', async () => {
      const { container, child } = await createFamily();
      assert.equal(await problemOf(await remove(child, { 'If-Match': '"no"' })), '412 precondition-failed');
      const before = await tagOf(container);
      const removed = await remove(child, { 'If-Match': await tagOf(child) });
      assert.equal(removed.status, 204);
      assert.deepEqual([removed.headers.get('etag'), removed.headers.get('last-modified')], [null, null]);
      assert.notEqual(await tagOf(container), before);
      assert.equal(
        (await triples(container)).some((line) => line.includes('contains')),
        false,
      );
      assert.equal((await fetch(`${server.url}/context?graph=${encodeURIComponent(child)}`)).status, 404);
      assert.equal(await problemOf(await remove(child)), '410 gone');
      assert.equal((await remove(container)).status, 204);
    });

    it('5.11: rejects the deletion of a description', async () => {
      const binary = await create('', { 'Content-Type': 'image/png' }, 'x');
      const rejected = await remove(`${binary}.meta`);
      assert.equal(rejected.headers.get('allow'), 'GET, HEAD, PUT, PATCH, OPTIONS');
      assert.equal(await problemOf(rejected), '405 method-not-allowed');
    });

    it('L-6: keeps PUT from reusing the URI', async () => {
      const { child } = await createFamily();
      assert.equal((await remove(child)).status, 204);
      assert.equal(await problemOf(await put(child, turtle, TITLE)), '410 gone');
    });
  });
});

describe('a server with --ldp-model container and --ldp-if-match optional', () => {
  const server = sharedServer([
    '--memory',
    '--threads',
    '1',
    '--ldp-model',
    'container',
    '--ldp-if-match',
    'optional',
  ]);
  const { head, put, createTurtle } = ldpClient(server);

  it('creates containers by default, and accepts PUT without If-Match', async () => {
    const uri = await createTurtle('', 'x', TITLE);
    assert.ok(typesOf(await head(uri)).includes('BasicContainer'));
    const source = await createTurtle('', 'y', TITLE, 'RDFSource');
    assert.ok(!typesOf(await head(source)).includes('BasicContainer'));
    assert.equal((await put(source, turtle, TITLE)).status, 200);
    assert.equal(
      await problemOf(await put(source, { ...turtle, 'If-Match': '"no"' }, TITLE)),
      '412 precondition-failed',
    );
  });
});
