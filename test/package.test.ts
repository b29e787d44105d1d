/**
 * The package as others install it, from the tarball: what is in it, that its three modules compile
 * and run, and that the examples of docs/library.md print what they say. `package.long.ts` does it
 * by `npm install`.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import { before, describe, it } from 'node:test';
import { PathpoolClient } from '../src/library/client/entry.ts';
import { compileIn, installIn, packIn, run, type Tarball } from './support/installed-package.ts';
import { projectFile, projectRoot } from './support/project.ts';
import { suiteScope } from './support/scope.ts';
import { startServer } from './support/server-process.ts';
import { temporaryDirectory } from './support/temporary-directory.ts';

/** How the examples address a server. */
const ADDRESS = 'http://localhost:8080';

const examples = examplesIn('docs/library.md');
const [sink = ''] = examplesIn('docs/indexing.md');

function examplesIn(file: string): string[] {
  const text = readFileSync(projectFile(file), 'utf8');
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, example]) => example!);
}

/** The lines that an example says it prints. */
function printedBy(example: string): string[] {
  return Array.from(example.matchAll(/^ *\/\/ (?!headers)(.*)$/gm), ([, line]) => line!);
}

describe('the package', () => {
  const scope = suiteScope();
  let tarball: Tarball;
  let folder: string;
  let url: string;

  before(async () => {
    folder = await temporaryDirectory(scope);
    // `npm test` has built the files.
    tarball = await packIn(projectRoot, folder, ['--ignore-scripts']);
    await installIn(folder, tarball);
    ({ url } = await startServer(scope, ['--memory', '--threads', '2'], {}, null));
    const write = (file: string, text: string) =>
      writeFileSync(join(folder, file), text.replaceAll(ADDRESS, url));
    examples.forEach((text, i) => {
      write(`example-${i}.ts`, text);
    });
    write('sink.ts', sink);
    await compileIn(folder, { module: 'nodenext' });
  });

  it('has the code, its documents and nothing else', () => {
    const kinds =
      /^(dist\/src\/.*\.(js|cjs|d\.ts)|dist\/(workers|parts)\/\w+\.js|dist\/viewer\/.+|dist\/console\/.+|docs\/[\w./-]+|deploy\/.+)$/;
    const others = tarball.paths.filter((path) => !kinds.test(path));
    assert.deepEqual(others.toSorted(), [
      'ARCHITECTURE.md',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'bench/README.md',
      'package.json',
      'test/conformance/ldp-suite/report.md',
      'test/conformance/ldpath-differences.md',
    ]);
    for (const file of ['dist/src/main.js', 'dist/workers/job.js', 'docs/library.md']) {
      assert.ok(tarball.paths.includes(file), file);
    }
    // Swagger UI is 1.9 MB of it, the console and its screenshots about 2 MB.
    assert.ok(tarball.size < 9 * 1024 * 1024, `${tarball.size} bytes`);
  });

  it('has every file and folder to which its documents link', () => {
    const folders = tarball.paths.map((path) => `${posix.dirname(path)}/`);
    const present = new Set([...tarball.paths, ...folders]);
    const documents = tarball.paths.filter((path) => path.endsWith('.md'));
    const missing = documents.flatMap((document) => {
      const text = readFileSync(projectFile(document), 'utf8');
      const links = Array.from(text.matchAll(/\]\((?!\w+:)([\w./-]+)/g), ([, link]) =>
        posix.join(posix.dirname(document), link!),
      );
      return links.filter((link) => !present.has(link)).map((link) => `${document}: ${link}`);
    });
    assert.deepEqual(missing, []);
  });

  for (const [i, example] of examples.entries()) {
    it(`runs example ${i + 1} of docs/library.md, which then ends by itself`, async () => {
      const { stdout } = await run(process.execPath, [`example-${i}.js`], { cwd: folder });
      assert.deepEqual(stdout.trimEnd().split('\n'), printedBy(example));
    });
  }

  it('runs the example of docs/indexing.md, which follows the data', async (context) => {
    const { graphs, programs } = new PathpoolClient(url);
    const person = 'http://xmlns.com/foaf/0.1/Person';
    await programs.put('people', { program: 'name = foaf:name ;', starts: { type: person } });
    await graphs.put('urn:x:people', `<urn:x:a> a <${person}> . <urn:x:b> a <${person}> .`);
    const child = spawn(process.execPath, ['sink.js'], { cwd: folder });
    context.after(() => child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const sees = async (count: number) => {
      const expected = `${count} documents are up to date.`;
      for (let line = await lines.next(); line.value !== expected; line = await lines.next()) {
        assert.ok(!line.done, expected);
      }
    };
    await sees(2);
    await graphs.put('urn:x:people', `<urn:x:b> a <${person}> ; <http://xmlns.com/foaf/0.1/name> "B" .`);
    await sees(1);
  });

  it('has types for bundlers', async () => {
    await compileIn(folder, { module: 'esnext', moduleResolution: 'bundler', noEmit: true });
  });

  it('has types of the client for browsers', async () => {
    const lib = ['es2023', 'dom', 'dom.iterable'];
    const options = { module: 'esnext', moduleResolution: 'bundler', lib, types: [], noEmit: true };
    const script = join(folder, 'browser');
    mkdirSync(script);
    writeFileSync(join(script, 'page.ts'), `export { PathpoolClient } from 'pathpool/client';`);
    await compileIn(script, options);
  });

  it('exports nothing else', async () => {
    const script = `import('pathpool/dist/src/app.js').catch((error) => console.log(error.code))`;
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder });
    assert.equal(stdout, 'ERR_PACKAGE_PATH_NOT_EXPORTED\n');
  });

  it('has a command that works in another directory', async () => {
    const command = join(folder, 'node_modules/pathpool/dist/src/main.js');
    // As npm does when it installs a command.
    chmodSync(command, 0o755);
    const { stdout } = await run(command, ['--version'], { cwd: folder });
    const { version } = JSON.parse(readFileSync(projectFile('package.json'), 'utf8'));
    assert.equal(stdout, `${version}\n`);
  });
});
