import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { projectRoot } from './support/project.ts';

/**
 * What each module may import at run time (`values`), and beyond that for its types alone
 * (`types`). A file belongs to the module with the longest name that its path begins with. The
 * composition root (`app`), `startup`, the commands and the entry files may import everything.
 */
const modules: Readonly<Record<string, { values: readonly string[]; types?: readonly string[] }>> = {
  errors: { values: [], types: ['journal', 'ldpath', 'rdf', 'snapshot'] },
  base: { values: ['errors', 'rdf/model'] },
  'base/bytes': { values: [] },
  'base/json': { values: [] },
  'rdf/model': { values: [] },
  rdf: { values: ['base/bytes', 'base/json', 'rdf/model'] },
  ldpath: { values: ['base/bytes', 'rdf/model'] },
  journal: { values: [] },
  cluster: { values: ['errors', 'base', 'journal'], types: ['snapshot', 'store'] },
  snapshot: { values: ['rdf/model'] },
  'ldp/model': { values: ['rdf/model'] },
  ldp: { values: [] },
  'ldp/registry': { values: ['ldp/model', 'rdf/model', 'snapshot', 'store/registry', 'store/graphs'] },
  'ldp/store': {
    values: ['errors', 'ldp/model', 'ldp/registry', 'rdf/model', 'snapshot', 'store'],
    types: ['base'],
  },
  'ldp/pool': {
    values: [
      'errors',
      'ldp/model',
      'ldp/registry',
      'ldp/store',
      'rdf',
      'rdf/model',
      'snapshot',
      'sparql',
      'store/graphs',
    ],
    types: ['pool', 'store'],
  },
  'ldp/main': {
    values: [
      'errors',
      'base',
      'ldp/model',
      'ldp/registry',
      'pool',
      'rdf/model',
      'services',
      'snapshot',
      'store',
    ],
    types: ['ldp/store'],
  },
  'ldp/http': {
    values: ['errors', 'base', 'http', 'ldp/model', 'ldp/main', 'rdf'],
    types: ['services'],
  },
  pool: {
    values: ['errors', 'base', 'rdf/model'],
    types: ['changes', 'ldp/model', 'ldpath', 'rdf', 'snapshot', 'sparql'],
  },
  'pool/worker': {
    values: [
      'errors',
      'base',
      'base/bytes',
      'journal',
      'ldp/pool',
      'ldpath',
      'pool',
      'rdf',
      'rdf/model',
      'snapshot',
      'sparql/effects',
      'store',
    ],
    types: ['changes', 'sparql', 'ldp/model'],
  },
  store: {
    values: [
      'errors',
      'base',
      'base/bytes',
      'cluster',
      'journal',
      'ldp/model',
      'ldp/registry',
      'ldp/store',
      'pool/threads/worker-url',
      'rdf',
      'rdf/model',
      'snapshot',
    ],
    types: ['pool'],
  },
  changes: {
    values: [
      'errors',
      'journal',
      'ldp/model',
      'ldp/registry',
      'pool/threads/worker-url',
      'rdf/model',
      'snapshot',
      'store',
    ],
    types: ['cluster'],
  },
  sparql: {
    values: ['errors', 'base', 'pool', 'rdf', 'rdf/model', 'snapshot', 'store/graphs'],
    types: ['ldp/model', 'store'],
  },
  services: {
    values: [
      'errors',
      'base',
      'base/json',
      'ldp/model',
      'ldp/registry',
      'pool',
      'rdf',
      'rdf/model',
      'snapshot',
      'sparql',
      'store',
    ],
    types: ['changes', 'journal', 'ldpath'],
  },
  metrics: {
    values: ['journal', 'snapshot'],
    types: ['http', 'pool', 'services', 'sparql', 'store'],
  },
  http: {
    values: [
      'errors',
      'base',
      'base/json',
      'ldp/model',
      'rdf',
      'rdf/model',
      'services',
      'sparql/language',
      'sparql/results',
    ],
    types: ['changes', 'ldp/main', 'ldpath', 'pool', 'snapshot', 'sparql', 'store'],
  },
  indexing: { values: ['library/client'] },
  'library/client': { values: [] },
  'library/ldpath': { values: ['ldpath', 'rdf/model'] },
};

/** What no thread of a kind may load. Entry files stand for the threads. */
const threads: Readonly<Record<string, { entry: string; never: readonly string[] }>> = {
  main: {
    entry: 'src/app.ts',
    never: [
      'changes/thread',
      'ldp/pool',
      'ldp/store',
      'ldpath',
      'pool/worker',
      'rdf/oxigraph',
      'rdf/formats/jsonld/precheck',
      'rdf/formats/rdfjson/parse',
      'sparql/effects',
      'sparql/engine',
      'sparql/language/corrections',
      'sparql/language/update',
      'sparql/thread',
      'store/big-write',
      'store/patch',
      'store/planning',
      'store/recovery',
      'store/thread',
    ],
  },
  pool: {
    entry: 'workers/job.ts',
    never: [
      'http',
      'ldp/http',
      'ldp/main',
      'pool/scheduling',
      'services',
      'sparql/main',
      'sparql/thread',
      'store/content',
      'store/main',
      'store/thread',
    ],
  },
  store: {
    entry: 'workers/store.ts',
    never: [
      'http',
      'ldp/http',
      'ldp/main',
      'ldp/pool',
      'ldpath',
      'pool/batch',
      'pool/runs',
      'pool/scheduling',
      'pool/worker',
      'rdf/formats',
      'rdf/oxigraph',
      'services',
      'sparql',
      'store/content',
      'store/main',
    ],
  },
  changes: {
    entry: 'workers/changes.ts',
    never: [
      'http',
      'ldp/http',
      'ldp/main',
      'ldp/pool',
      'ldpath',
      'pool/batch',
      'pool/runs',
      'pool/scheduling',
      'pool/worker',
      'rdf/formats',
      'rdf/oxigraph',
      'services',
      'sparql',
      'store/main',
      'store/thread',
    ],
  },
  SPARQL: {
    entry: 'workers/sparql.ts',
    never: [
      'http',
      'journal',
      'ldp/http',
      'ldp/main',
      'ldp/pool',
      'ldp/store',
      'ldpath',
      'pool/batch',
      'pool/scheduling',
      'services',
      'sparql/main',
      'store/main',
      'store/planning',
      'store/thread',
    ],
  },
};

/** Base names that several files have, because each has the same role in its folder. */
const roles: ReadonlySet<string> = new Set([
  'command', // adds the folder's command to the command line
  'entry', // an export of the package
  'document', // HTML, JSON and XML documents as functions of LDPath read them
  'errors', // the errors of the module
  'functions', // the functions of the folder's kind
  'limits', // the limits of the folder's format
  'markup', // HTML and XML as text
  'messages', // what crosses a thread boundary of the module
  'negotiation', // the choice of a media type for the route
  'operations', // the descriptions of the routes of the folder
  'options', // the options of the folder's command
  'parse', // reads the folder's format
  'parser', // reads the folder's language
  'patch', // the module's form of a change
  'pool', // the worker pool, and that of SPARQL
  'read', // GET of the route
  'rejection', // why the module rejects an operation
  'routes', // the routes of the folder
  'serialize', // writes the folder's format
  'service', // what the routes need of their service
  'settings', // the settings of the module
  'target', // what a request of the route addresses
  'write', // PUT, POST and DELETE of the route
]);

const entries = [
  'console/build.ts',
  'console/src/main.tsx',
  'src/main.ts',
  'src/cli/demo.ts',
  ...['client', 'ldpath', 'server'].map((name) => `src/library/${name}/entry.ts`),
  ...readdirSync(join(projectRoot, 'workers')).map((name) => `workers/${name}`),
];

interface Import {
  readonly file: string;
  readonly target: string;
  readonly typeOnly: boolean;
}

describe('the source', () => {
  const sources = [...filesIn('src'), ...filesIn('workers')];
  const imports = sources.flatMap(importsOf);
  const ofConsole = filesIn('console');

  it('imports only what the table of modules allows', () => {
    assert.deepEqual(
      imports.filter(isForbidden).map(({ file, target }) => `${file} imports ${target}`),
      [],
    );
  });

  it('has modules with the imports that ARCHITECTURE.md lists', () => {
    const listed = read('ARCHITECTURE.md').matchAll(/^\| `(\w+(?:\/\w+)*)` \| ([^|]*)\| ([^|]*)\|$/gm);
    const rows = [...listed].map(([, name, values, types]) => [name, namesIn(values!), namesIn(types!)]);
    const inUse = Object.entries(modules).filter(([name]) => sources.some((file) => moduleOf(file) === name));
    assert.deepEqual(
      rows,
      inUse.map(([name, { values, types = [] }]) => [name, values, types]),
    );
  });

  // Biome's noImportCycles leaves types out, so it would find less than this.
  it('has no import cycle, types included', () => {
    const files = allFiles();
    assert.deepEqual(cyclesOf(files, files.flatMap(importsOf)), []);
  });

  for (const [thread, { entry, never }] of Object.entries(threads)) {
    it(`loads nothing in a ${thread} thread that only others run`, () => {
      const loaded = reachableFrom(
        entry,
        imports.filter(({ typeOnly }) => !typeOnly),
      );
      const foreign = [...loaded].filter((file) => never.some((folder) => isIn(file, folder)));
      assert.deepEqual(foreign, []);
    });
  }

  it('has pages of the console that import the client of the server, and no other page', () => {
    const foreign = ofConsole.flatMap(importsOf).filter(({ file, target }) => {
      const page = /^console\/src\/pages\/\w+\//;
      if (target.startsWith('src/')) return target !== 'src/library/client/entry.ts';
      const [own, other] = [page.exec(file)?.[0], page.exec(target)?.[0]];
      return other !== undefined && other !== own && file !== 'console/src/app/pages.ts';
    });
    assert.deepEqual(foreign, []);
  });

  it('imports uWebSockets.js in one file', () => {
    const importers = sources.filter((file) => /(from|import\()\s*'uWebSockets\.js'/.test(read(file)));
    assert.deepEqual(importers, ['src/http/fronts/uws-front.ts']);
  });

  it('has no file that is never imported', () => {
    const all = [...imports, ...ofConsole.flatMap(importsOf)];
    const imported = new Set([...all.map(({ target }) => target), ...entries]);
    assert.deepEqual(
      [...sources, ...ofConsole].filter((file) => !imported.has(file)),
      [],
    );
  });

  it('has folders of 20 files at most', () => {
    const counts = new Map<string, number>();
    for (const file of [...sources, ...ofConsole])
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 20),
      [],
    );
  });

  it('has no file name that repeats its folder', () => {
    const repeats = [...sources, ...ofConsole].filter((file) => {
      const [first, ...rest] = basename(file, extname(file)).split('-');
      return rest.length > 0 && [first, `${first}s`].includes(basename(dirname(file)));
    });
    assert.deepEqual(repeats, []);
  });

  it('has one file of a name, except for names of roles', () => {
    const files = new Map<string, string[]>();
    for (const file of filesIn('src')) {
      const name = basename(file, '.ts');
      files.set(name, [...(files.get(name) ?? []), file]);
    }
    const several = [...files].filter(([, same]) => same.length > 1).map(([name]) => name);
    assert.deepEqual(several.toSorted(), [...roles].toSorted());
  });

  it('has comments of 100 columns at most', () => {
    assert.deepEqual(allFiles().flatMap(longComments), []);
  });

  it('has test callbacks of 60 lines at most', () => {
    assert.deepEqual(filesIn('test').flatMap(longCallbacks), []);
  });

  it('has tests that also run compiled, in another folder: they name files from the root', () => {
    const relatives = filesIn('test').filter((file) => /new URL\([^;]*import\.meta/.test(read(file)));
    assert.deepEqual(relatives, ['test/support/project.ts']);
  });

  it('has nothing left undone', () => {
    const undone = allFiles().filter(
      (file) => /\b(TODO|FIXME|XXX)\b/.test(read(file)) && file !== 'test/tidy.test.ts',
    );
    assert.deepEqual(undone, []);
  });
});

function allFiles(): string[] {
  return ['src', 'workers', 'bench', 'test', 'console', 'scripts'].flatMap(filesIn);
}

function filesIn(folder: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}

function importsOf(file: string): Import[] {
  const statement = /^(?:import|export)\s+(type\s)?[^;]*?from\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)/gm;
  return [...read(file).matchAll(statement)].map((match) => ({
    file,
    target: relative(projectRoot, resolve(projectRoot, dirname(file), match[2] ?? match[3] ?? '')),
    typeOnly: match[1] !== undefined,
  }));
}

function isForbidden({ file, target, typeOnly }: Import): boolean {
  const rule = modules[moduleOf(file)];
  if (!rule || moduleOf(file) === moduleOf(target)) return false;
  const allowed = typeOnly ? [...rule.values, ...(rule.types ?? [])] : rule.values;
  return !allowed.some((name) => moduleOf(target) === name || (!(name in modules) && isIn(target, name)));
}

/** The names in a cell of a table. */
function namesIn(cell: string): string[] {
  return Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name!);
}

/** The module of a file; its own path for a file that no module has. */
function moduleOf(file: string): string {
  const names = Object.keys(modules).filter((name) => isIn(file, name));
  return names.reduce((longest, name) => (name.length > longest.length ? name : longest), '') || file;
}

/** Whether a file is `src/<name>.ts`, or in the folder `src/<name>`. */
function isIn(file: string, name: string): boolean {
  return file === `src/${name}.ts` || file.startsWith(`src/${name}/`);
}

function reachableFrom(entry: string, imports: readonly Import[]): Set<string> {
  const targets = new Map<string, string[]>();
  for (const { file, target } of imports) targets.set(file, [...(targets.get(file) ?? []), target]);
  const reached = new Set([entry]);
  for (const file of reached) for (const target of targets.get(file) ?? []) reached.add(target);
  return reached;
}

/** The files of each cycle. */
function cyclesOf(files: readonly string[], imports: readonly Import[]): string[][] {
  const reach = new Map(files.map((file) => [file, reachableFrom(file, imports)]));
  const cycles = new Set<string>();
  for (const { file, target } of imports) {
    if (!reach.get(target)?.has(file)) continue;
    const members = files.filter((other) => reach.get(file)!.has(other) && reach.get(other)!.has(file));
    cycles.add(members.join(' '));
  }
  return [...cycles].map((members) => members.split(' '));
}

function longComments(file: string): string[] {
  const lines = read(file).split('\n');
  return lines.flatMap((line, index) =>
    line.length > 100 && /^\s*(\*|\/\/|\/\*)/.test(line) ? [`${file}:${index + 1}`] : [],
  );
}

/** Cases and hooks of more than 60 lines. Their first and last line have the same indent. */
function longCallbacks(file: string): string[] {
  const lines = read(file).split('\n');
  return lines.flatMap((line, index) => {
    const call = /^(\s*)(?:await \w+\.)?(?:it|test|before|after|beforeEach|afterEach)\(/.exec(line);
    if (!call || line.endsWith(');')) return [];
    const last = lines.findIndex((other, at) => at > index && isEndOfCall(other, call[1]!));
    return last > 0 && last - index < 60 ? [] : [`${file}:${index + 1}`];
  });
}

function isEndOfCall(line: string, indent: string): boolean {
  return line === `${indent}});` || line === `${indent});`;
}
