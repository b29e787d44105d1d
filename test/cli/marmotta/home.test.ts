import assert from 'node:assert/strict';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Home } from '../../../src/cli/marmotta/home.ts';
import { Report } from '../../../src/cli/marmotta/report.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function homeWith(
  context: TestContext,
  settings: string,
): Promise<{ readonly place: string; readonly home: Home }> {
  const place = join(await temporaryDirectory(context), 'home');
  await mkdir(join(place, 'resources', 'ab'), { recursive: true });
  await writeFile(join(place, 'system-config.properties'), settings);
  return { place, home: await Home.read(place) };
}

test('programs of Solr cores have the name of the core, whose key is in lower case', async (context) => {
  const { home } = await homeWith(context, 'solr.cores = People\nsolr.people.program = a = <urn:x:a> ;\n');
  assert.deepEqual(home.programs, [{ name: 'People', text: 'a = <urn:x:a> ;' }]);
});

test('a file of content is found by the end of its recorded path, wherever the home was', async (context) => {
  const { place, home } = await homeWith(context, '');
  const file = join(place, 'resources', 'ab', 'x.txt');
  await writeFile(file, 'x');
  assert.equal(await home.contentFile('/var/lib/marmotta/resources/ab/x.txt'), file);
  assert.equal(await home.contentFile('C:\\marmotta\\resources\\ab\\x.txt'), file);
  assert.equal(await home.contentFile('/etc/x.txt'), undefined);
});

test('no path in a dump leads out of the folder of content, not even by a link', async (context) => {
  const { place, home } = await homeWith(context, '');
  const outside = join(place, '..', 'secret.txt');
  await writeFile(outside, 'secret');
  await symlink(outside, join(place, 'resources', 'link.txt'));
  assert.equal(await home.contentFile('/m/resources/../../secret.txt'), undefined);
  assert.equal(await home.contentFile('/m/resources/link.txt'), undefined);
  assert.equal(await home.binaryFile('http://localhost/../../secret.txt'), undefined);
});

test('no value of a setting that is left is in the report', async (context) => {
  const { home } = await homeWith(context, 'user.ann.pwhash = SHA1:hidden\ndatabase.password = hidden\n');
  const report = new Report();
  home.reportSettings(report);
  assert.match(report.text(), /1 users, .*\n {4}ann\n {2}1 settings of Marmotta\n {4}database\.password/);
  assert.doesNotMatch(report.text() + report.json(), /hidden/);
});

test('a directory without the settings of Marmotta is an error that names the file', async (context) => {
  const place = await temporaryDirectory(context);
  await assert.rejects(
    Home.read(place),
    /system-config\.properties can't be read: .*--home is the directory/,
  );
});
