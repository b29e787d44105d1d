import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));

/**
 * What each module may import of ours at run time (`values`), and beyond that for its types alone (`types`). Entry files
 * and the composition root (`app`) know everything. `errors` is the floor that most may stand on.
 */
const table: Readonly<Record<string, { values: readonly string[]; types?: readonly string[] }>> = {
  graph: { values: [] },
  ldp: { values: ['graph'] },
  ldpath: { values: ['graph'] },
  rdf: { values: ['graph'] },
  journal: { values: [] },
  snapshot: { values: ['graph'] },
  pool: {
    values: ['errors', 'caller', 'byte-budget', 'signal', 'system-thread', 'graph'],
    types: ['ldp', 'ldpath', 'rdf', 'snapshot', 'sparql'],
  },
  store: {
    values: [
      'errors',
      'condition',
      'system-thread',
      'graph',
      'journal',
      'snapshot',
      'rdf',
      'ldp',
      'pool/worker-url',
    ],
    types: ['pool'],
  },
  sparql: {
    values: [
      'errors',
      'caller',
      'signal',
      'system-thread',
      'graph',
      'snapshot',
      'rdf',
      'pool',
      'store/protected-graphs',
    ],
    types: ['ldp', 'store'],
  },
  services: {
    values: ['errors', 'caller', 'condition', 'graph', 'snapshot', 'store', 'pool', 'rdf', 'ldp', 'sparql'],
  },
  http: {
    values: [
      'errors',
      'caller',
      'condition',
      'byte-budget',
      'signal',
      'services',
      'rdf',
      'ldp',
      'sparql/language',
      'sparql/results',
    ],
    types: ['store', 'pool', 'snapshot', 'graph', 'sparql'],
  },
};

/** What users of the language as a library have, and the server does not use. */
const libraryParts = ['src/graph/array-graph.ts', 'src/ldpath/printer.ts'];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

test('modules import only what the dependency table of the design allows', () => {
  const wrong = sourceFiles('src').flatMap(importsOf).filter(isForbidden);
  assert.deepEqual(
    wrong.map(({ file, target }) => `${file} imports ${target}`),
    [],
  );
});

test('one file imports uWebSockets.js', () => {
  const importers = [...sourceFiles('src'), ...sourceFiles('workers')].filter((file) =>
    mentions(file, 'uWebSockets.js'),
  );
  assert.deepEqual(importers, ['src/http/uws-server.ts']);
});

test('no source file is left that nobody imports', () => {
  const entries = new Set([
    'src/main.ts',
    'src/demo.ts',
    'workers/job.ts',
    'workers/load.ts',
    'workers/keeper.ts',
    'workers/pieces.ts',
    'workers/sparql.ts',
    'workers/store.ts',
    ...libraryParts,
  ]);
  const imported = new Set(
    [...sourceFiles('src'), ...sourceFiles('workers')].flatMap(importsOf).map(({ target }) => target),
  );
  const orphans = [...sourceFiles('src'), ...sourceFiles('workers')].filter(
    (file) => !entries.has(file) && !imported.has(file),
  );
  assert.deepEqual(orphans, []);
});

test('nothing is left undone in the source', () => {
  const undone = allFiles().filter(
    (file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)) && file !== 'test/tidy.test.ts',
  );
  assert.deepEqual(undone, []);
});

function allFiles(): string[] {
  return ['src', 'workers', 'bench', 'test'].flatMap(sourceFiles);
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

function mentions(file: string, library: string): boolean {
  return new RegExp(`(from|import\\()\\s*'${library}'`).test(read(file));
}

function importsOf(file: string): Import[] {
  const statement = /^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/gm;
  return [...read(file).matchAll(statement)].map((match) => ({
    file,
    target: relative(root, resolve(root, dirname(file), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined,
  }));
}

function isForbidden({ file, target, typeOnly }: Import): boolean {
  const rule = table[moduleOf(file)];
  if (!rule || moduleOf(file) === moduleOf(target)) return false;
  const allowed = typeOnly ? [...rule.values, ...(rule.types ?? [])] : rule.values;
  return !allowed.some((name) => target === `src/${name}.ts` || target.startsWith(`src/${name}/`));
}

/** `src/http/handlers/x.ts` belongs to `http`; files directly in `src` are modules of their own. */
function moduleOf(file: string): string {
  return file.split('/')[1] ?? file;
}
