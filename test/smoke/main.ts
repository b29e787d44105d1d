/**
 * npm run test:smoke [-- MAJOR...]: runs the demo and a part of the tests on other releases of
 * Node.js than the one that runs this. A release that npm cannot fetch is passed over with a
 * message. SMOKE_REPORT=write writes the results into docs/conformance.md.
 */
import { writeSection } from '../conformance/report-section.ts';
import { projectFile } from '../support/project.ts';
import { nodeRelease } from './node-release.ts';
import { runOn } from './run.ts';

/** The newest of each line that is supported, at the time of this list. */
const releases = ['22.23.3', '24.21.0', '26.10.0'];

const asked = process.argv.slice(2);
const wanted = releases.filter((version) => asked.length === 0 || asked.includes(version.split('.')[0]!));
const found = await Promise.all(
  wanted.map(async (version) => ({ version, node: await nodeRelease(version) })),
);
const rows: string[] = [];
for (const { version, node } of found) {
  const result = node === undefined ? 'not run: npm could not fetch this release' : await resultOf(node);
  console.log(`Node.js ${version}: ${result}`);
  rows.push(`| ${version} | ${result} |`);
}
if (process.env['SMOKE_REPORT'] === 'write') await writeReport(rows);

async function resultOf(node: string): Promise<string> {
  const { passed, failure, seconds } = await runOn(node);
  if (failure === undefined) return `the demo and ${passed} tests passed in ${seconds} s`;
  console.log(failure);
  process.exitCode = 1;
  return `failed after ${seconds} s`;
}

function writeReport(rows: readonly string[]): Promise<void> {
  const heading = '## Node versions';
  const section = `${heading}

\`npm test\` runs on the machine's Node.js. The demo, the vectors of LDPath, the contract of
node:http, and tests of the Linked Data Platform, SPARQL, threads and disk then run on other releases,
which \`.ci/run\` fetches from npm once; written by \`npm run test:smoke\` on ${new Date().toISOString().slice(0, 10)}:

| Node.js | result |
|---|---|
${rows.join('\n')}
`;
  return writeSection(projectFile('docs/conformance.md'), heading, section);
}
