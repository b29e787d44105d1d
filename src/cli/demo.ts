/**
 * `npm run demo`: starts a server in a temporary directory, loads the real schema.org vocabulary
 * over HTTP, evaluates one LDPath program for a few classes, and prints the results as a table. The
 * server keeps running afterwards, unless `--once` is given.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createApp } from '../app.ts';
import { fillConfig } from '../config.ts';
import { createLog } from '../log.ts';

const GRAPH = 'http://schema.org/';
const CLASSES = ['Person', 'Book', 'Restaurant', 'Event', 'SoftwareApplication'];
const PROGRAM = `@prefix schema : <http://schema.org/> ;
label        = rdfs:label :: xsd:string ;
comment      = rdfs:comment :: xsd:string ;
superclasses = (rdfs:subClassOf)+ / rdfs:label :: xsd:string ;
properties   = ^schema:domainIncludes / rdfs:label :: xsd:string ;
subclasses   = fn:count(^rdfs:subClassOf) :: xsd:integer ;
`;

type FieldValues = Record<string, { value: string }[]>;

async function main(once: boolean): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'pathpool-demo-'));
  const app = await startServer(directory);
  const end = async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await loadVocabulary(app.url);
    await showResults(app.url);
  } catch (error) {
    await end();
    throw error;
  }
  if (once) return end();
  showAddresses(app.url);
  process.once('SIGINT', () => void end());
  process.once('SIGTERM', () => void end());
}

/** Starts on the default port, or on a free one if that is in use. */
async function startServer(directory: string) {
  const config = { data: directory };
  const log = createLog('warn');
  return createApp(fillConfig(config), { log }).catch(() =>
    createApp(fillConfig({ ...config, port: 0 }), { log }),
  );
}

async function loadVocabulary(url: string): Promise<void> {
  const file = fileURLToPath(import.meta.resolve('@vocabulary/schema/schema.nq'));
  const began = performance.now();
  const response = await fetch(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/n-quads' },
    body: await readFile(file),
  });
  if (!response.ok) throw new Error(`PUT /context: ${response.status} ${await response.text()}`);
  const listing = await fetch(`${url}/context/list?labels`);
  const contexts = (await listing.json()) as { uri: string; size: number }[];
  const size = contexts.find((context) => context.uri === GRAPH)?.size;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`PUT /context: ${size} triples of the schema.org vocabulary, on disk after ${seconds} s.\n`);
}

async function showResults(url: string): Promise<void> {
  console.log(`POST /ldpath/program, for ${CLASSES.length} classes:\n\n${PROGRAM.replace(/^/gm, '  ')}`);
  for (const name of CLASSES) {
    const response = await fetch(`${url}/ldpath/program?uri=${encodeURIComponent(GRAPH + name)}`, {
      method: 'POST',
      body: PROGRAM,
    });
    if (!response.ok) throw new Error(`POST /ldpath/program: ${response.status} ${await response.text()}`);
    showResult(name, (await response.json()) as FieldValues);
  }
}

function showResult(name: string, values: FieldValues): void {
  console.log(`schema:${name}`);
  for (const [field, nodes] of Object.entries(values)) {
    console.log(`  ${field.padEnd(13)} ${shortened(nodes.map((node) => node.value))}`);
  }
  console.log();
}

/** Returns one line with the first few values and the total number. */
function shortened(values: readonly string[]): string {
  const few = values.slice(0, 5).join(', ').replaceAll(/\s+/g, ' ');
  const line = few.length > 84 ? `${few.slice(0, 83)}…` : few;
  return values.length > 5 ? `${line} (${values.length} in all)` : line;
}

function showAddresses(url: string): void {
  const person = encodeURIComponent(`${GRAPH}Person`);
  const state = new URLSearchParams({ program: PROGRAM, start: `${GRAPH}Person` });
  console.log(`The server is running at ${url}; stop it with Ctrl-C. Commands to try:

  curl '${url}/ldpath/path?path=rdfs:subClassOf/rdfs:label&uri=${person}'
  curl --data-binary 'kinds = ^rdfs:subClassOf / rdfs:label ;' '${url}/ldpath/program?uri=${person}'
  curl '${url}/context/list?labels'
  curl -H 'Accept: text/turtle' '${url}/context?graph=${encodeURIComponent(GRAPH)}'
  curl '${url}/tasks'

The console, with this program and the class schema:Person:

  ${url}/console/playground#${state}
`);
}

await main(process.argv.includes('--once'));
