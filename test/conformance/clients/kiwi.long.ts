/** `pathpool import-marmotta` with what Marmotta's triple store and services write now. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { runPathpool, startServer } from '../../support/server-process.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { javaPrograms } from './install.ts';

const BASE = 'http://localhost:8080';

/** What a fresh export and home directory give, in a format; undefined without Java. */
async function imported(
  context: TestContext,
  file: string,
): Promise<{ readonly url: string; readonly status: number | null; readonly out: string } | undefined> {
  const kiwi = await javaPrograms('kiwi');
  if ('missing' in kiwi) {
    context.skip(kiwi.missing);
    return undefined;
  }
  const place = await temporaryDirectory(context);
  await kiwi.run('Store.java', place, `${BASE}/`);
  const { url } = await startServer(context, ['--memory', '--base', BASE]);
  const home = join(place, 'home');
  const { status, out, err } = await runPathpool([
    ...['import-marmotta', '--server', url],
    ...[join(place, file), '--home', home],
  ]);
  return { url, status, out: out + err };
}

test('Marmotta: an export in TriG and the home directory come over, and a report says what did not', async (context) => {
  const result = await imported(context, 'export.trig');
  if (!result) return;
  const { url, status, out } = result;
  assert.equal(status, 1);
  for (const line of [
    '16 triples',
    '1 LDP containers',
    '1 LDP RDF sources',
    '1 LDP binaries',
    '2 contents',
    '2 contents that may lack their end: Marmotta 3.4 drops what does not fill 8,192 bytes',
    '1 contents that are empty files: Marmotta 3.4 stores no content below 8,192 bytes',
    '1 programs of Solr cores',
    '1 programs that the server refuses',
    '1 deleted LDP resources, whose URIs can be used again here',
  ]) {
    assert.ok(out.includes(`  ${line}\n`), `${line} in ${out}`);
  }
  const people = await fetch(`${url}/context/people`, { headers: { Accept: 'text/turtle' } });
  assert.match(await people.text(), /"line one\\nline \\"two\\" \\\\ ä 😀"/);
});

test('Marmotta: its N-Quads with a character beyond U+FFFF are refused with file, line and the way out', async (context) => {
  const result = await imported(context, 'export.nq');
  if (!result) return;
  assert.equal(result.status, 2);
  assert.match(result.out, /export\.nq: line \d+, column \d+: Malformed escape .*export application\/trig/);
});
