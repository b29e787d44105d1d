/**
 * The shell examples of the documents succeed on a real server and print what the documents say:
 * comment lines are lines of the output of the commands above them, in their order.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { projectFile } from '../support/project.ts';
import { startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** How the documents address a server. */
const ADDRESS = 'http://localhost:8080';

const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';

const run = promisify(execFile);

for (const file of ['README.md', 'docs/ldp.md', 'docs/sparql.md']) {
  test(`the examples of ${file}`, async (context) => {
    const { url } = await startServer(context, ['--memory', '--threads', '2'], {}, null);
    const directory = await directoryOfFiles(context);
    const examples = examplesIn(file);
    assert.ok(examples.length > 3);
    for (const example of examples) {
      const output = await outputOf(example.replaceAll(ADDRESS, url), directory);
      check(example, output.replaceAll(url.replace('127.0.0.1', 'localhost'), ADDRESS));
    }
  });
}

/** The files that examples send. */
async function directoryOfFiles(context: TestContext): Promise<string> {
  const directory = await temporaryDirectory(context);
  await writeFile(join(directory, 'people.ttl'), '<urn:x:anna> <urn:x:knows> <urn:x:sepp> .');
  await writeFile(join(directory, 'places.rdf'), `<rdf:RDF xmlns:rdf="${RDF}"/>`);
  return directory;
}

function check(example: string, output: string): void {
  const expected = expectedIn(example);
  if (expected.length === 0) assert.doesNotMatch(output, /"type":"about:blank"/, example);
  const lines = output.split('\n');
  let from = 0;
  for (const line of expected) {
    const at = lines.indexOf(line, from);
    assert.ok(at >= 0, `${example}\n\nIt does not print "${line}", but:\n${output}`);
    from = at + 1;
  }
}

/** Commands with what they print, which blank lines separate; those that talk to a server. */
function examplesIn(file: string): string[] {
  const text = readFileSync(projectFile(file), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block]) => block!.split('\n\n'))
    .filter((example) => example.includes('curl') && example.includes(ADDRESS));
}

function expectedIn(example: string): string[] {
  return example
    .split('\n')
    .filter((line) => line.startsWith('# '))
    .map((line) => line.slice(2));
}

/** Each command must succeed. */
async function outputOf(script: string, cwd: string): Promise<string> {
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd });
  return stdout.replaceAll('\r', '');
}
