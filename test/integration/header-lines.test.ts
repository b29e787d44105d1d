import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesOf, rawRequest } from '../support/raw-request.ts';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const LDP = 'http://www.w3.org/ns/ldp#';
const turtle = { 'Content-Type': 'text/turtle' };
const type = (name: string) => `<${LDP}${name}>; rel="type"`;
const constraints = `<${BASE}/constraints/ldp>; rel="${LDP}constrainedBy"`;

describe('G-25: the lines of a header', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--compress']);
  const send = (method: string, path: string, headers: Record<string, string> = {}, body = '') =>
    rawRequest(server.url + path, method, headers, body);
  const links = async (...request: Parameters<typeof send>) => linesOf(await send(...request), 'link');

  it('are one for each link of an LDP resource, also of a cached one, of 304, and of errors', async () => {
    const triple = `<> <urn:x:p> "${'long enough for gzip '.repeat(100)}" .`;
    const created = await send('POST', '/ldp', { ...turtle, Slug: 'lines' }, triple);
    const ofRoot = ['Resource', 'RDFSource', 'Container', 'BasicContainer'].map(type);
    assert.deepEqual(linesOf(created, 'link'), [...ofRoot, constraints]);
    const path = '/ldp/lines';
    const expected = [type('Resource'), type('RDFSource'), constraints];
    for (const coding of ['identity', 'gzip']) {
      for (const method of ['GET', 'GET', 'HEAD', 'OPTIONS', 'TRACE']) {
        const found = await links(method, path, { 'Accept-Encoding': coding });
        assert.deepEqual(found, expected, `${method} ${coding}`);
      }
    }
    const { etag } = (await send('GET', path)).headers;
    const unchanged = await send('GET', path, { 'If-None-Match': etag! });
    assert.equal(unchanged.status, 304);
    assert.deepEqual(linesOf(unchanged, 'link'), expected);
    assert.deepEqual(await links('PUT', path, turtle, triple), expected, '428');
    assert.deepEqual(await links('PUT', path, { ...turtle, 'If-Match': '*' }, triple), expected);
  });

  it('are one for each link of an LDP binary and of its description', async () => {
    const uri = `${BASE}/ldp/picture.png`;
    const created = await links('POST', '/ldp', { 'Content-Type': 'image/png', Slug: 'picture' }, 'png');
    assert.ok(created.includes(`<${uri}.meta>; rel="describedby"; anchor="${uri}"`));
    const described = `<${uri}.meta>; rel="describedby"`;
    const ofBinary = [type('Resource'), type('NonRDFSource'), described, constraints];
    for (const method of ['GET', 'HEAD']) assert.deepEqual(await links(method, '/ldp/picture.png'), ofBinary);
    const ofDescription = await links('GET', '/ldp/picture.png.meta');
    assert.deepEqual(ofDescription.slice(2, 4), [`<${uri}>; rel="describes"`, `<${uri}>; rel="content"`]);
  });

  it('are one for each representation of a resource', async () => {
    const query = '?uri=urn:x:lines';
    assert.equal((await send('PUT', `/content/image/png${query}`, {}, 'png')).status, 201);
    const redirect = await links('GET', `/resource${query}`, { Accept: 'text/turtle' });
    assert.equal(redirect.length, 8);
    for (const link of redirect) assert.match(link, /^<[^<>,]+>; rel="(meta|content)"; type="[a-z0-9/+-]+"$/);
    assert.equal((await links('HEAD', `/content/image/png${query}`)).length, 8);
    const local = await links('GET', '/resource?uri=urn:x:p', { Accept: 'text/turtle' });
    assert.equal(local.length, 7);
  });
});

describe('G-25: requests', () => {
  const server = sharedServer(['--memory', '--threads', '1']);

  it('may have one Link line with all links, or a line for each', async () => {
    const all = ['<urn:x:l>; rel="license"', type('BasicContainer')];
    for (const [i, lines] of [[all.join(', ')], all].entries()) {
      const headers = { ...turtle, Slug: `form${i}`, Link: lines };
      assert.equal((await rawRequest(`${server.url}/ldp`, 'POST', headers, '<> <urn:x:p> 1 .')).status, 201);
      const found = linesOf(await rawRequest(`${server.url}/ldp/form${i}`, 'GET'), 'link');
      assert.ok(found.includes(type('BasicContainer')), lines.join(' | '));
    }
  });
});
