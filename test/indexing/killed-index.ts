import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { freePort } from '../../bench/measure/free-port.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { runPathpool, type ServerProcess, spawnPathpool, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { serveSearch } from './targets/fake-search-server.ts';
import { FakeSolr } from './targets/fake-solr.ts';

const FOAF = 'http://xmlns.com/foaf/0.1/';
const PERSONS = 60;
const PROGRAM = `@prefix foaf : <${FOAF}> ;
@filter foaf:name ;
name = foaf:name :: xsd:string ;
friends = foaf:knows/foaf:name :: xsd:string ;
known = ^foaf:knows/foaf:name :: xsd:string ;
`;

/**
 * Kills server and indexer with SIGKILL, again and again, while a client commits; then the index
 * must equal one that is written from scratch.
 */
export async function checkKilledIndex(
  context: TestContext,
  { seed, commits, kills }: { readonly seed: number; readonly commits: number; readonly kills: number },
): Promise<void> {
  context.diagnostic(`seed ${seed}`);
  const random = seededRandom(seed);
  const data = await temporaryDirectory(context);
  const port = String(await freePort());
  const start = () => startServer(context, ['--data', data, '--port', port, '--journal-max', '64KiB']);
  let server = await start();
  const solr = new FakeSolr();
  const search = await serveSearch(context, solr);
  await put(server, `/ldpath/programs/people?type=${encodeURIComponent(`${FOAF}Person`)}`, PROGRAM);
  const args = (target: string) => [
    'index',
    '--server',
    server.url,
    '--name',
    'people',
    '--to',
    `solr:${target}`,
  ];
  let indexer = follow(context, args(search.url));
  for (let commit = 0; commit < commits; commit++) {
    await put(server, `/context?graph=urn:x:p${Math.floor(random() * PERSONS)}`, person(random));
    if (random() * commits < kills) {
      await server.kill();
      server = await start();
    }
    if (random() * commits < kills) {
      await kill(indexer);
      indexer = follow(context, args(search.url));
    }
  }
  await kill(indexer);
  await update(args(search.url));
  const fresh = new FakeSolr();
  const other = await serveSearch(context, fresh);
  await update(args(other.url));
  assert.ok(fresh.documents.size > 1);
  assert.deepEqual(documentsIn(solr), documentsIn(fresh));
}

/** The graph of a person, who may have lost class or name. */
function person(random: () => number): string {
  const iri = () => `<urn:x:p${Math.floor(random() * PERSONS)}>`;
  const lines = [`${iri()} <${FOAF}knows> ${iri()}, ${iri()} .`];
  if (random() < 0.8) lines.push(`${iri()} a <${FOAF}Person> .`);
  if (random() < 0.8) lines.push(`${iri()} <${FOAF}name> "N${Math.floor(random() * 1000)}" .`);
  return lines.join('\n');
}

async function put({ url }: ServerProcess, path: string, body: string): Promise<void> {
  const type = path.startsWith('/context') ? 'text/turtle' : 'text/plain';
  const response = await fetch(url + path, { method: 'PUT', headers: { 'Content-Type': type }, body });
  assert.ok(response.ok, `${response.status} ${await response.text()}`);
}

function follow(context: TestContext, args: readonly string[]): ChildProcess {
  const child = spawnPathpool(context, args);
  child.stdout?.resume();
  child.stderr?.resume();
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  assert.deepEqual([child.exitCode, child.signalCode], [null, null], 'The indexer ended by itself');
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function update(args: readonly string[]): Promise<void> {
  const { status, err } = await runPathpool([...args, '--once']);
  assert.equal(status, 0, err);
}

function documentsIn({ documents }: FakeSolr): Record<string, unknown> {
  const resources = [...documents].filter(([id]) => !id.startsWith('pathpool:state:'));
  return Object.fromEntries(resources.map(([id, { pathpool_run_s: _, ...document }]) => [id, document]));
}
