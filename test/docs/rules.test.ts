import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { settings } from '../../src/config.ts';
import { errorCodes } from '../../src/errors.ts';
import { statusOfCode } from '../../src/http/problem.ts';
import { projectRoot } from '../support/project.ts';

/*
 * `docs/http-api.md` is the specification of the HTTP interface. Code and tests cite its rules
 * (`G-12`) and sections (`http-api 5.8`). These tests check that the citations are right.
 */

const httpApi = read('docs/http-api.md');
const UNTESTED = '## 9. Rules without a test of their own';
const START_ONLY: readonly string[] = ['data-locked', 'newer-format'];

const definitions = [...specification().matchAll(/^\| ([CFGLPRT]-\d+) \|/gm)].map((match) => match[1]!);
const rules = new Set(definitions);

test('every rule of docs/http-api.md is defined once', () => {
  const twice = definitions.filter((rule, at) => definitions.indexOf(rule) !== at);
  assert.deepEqual(twice, []);
});

test('every rule that code, tests or documents cite exists', () => {
  const docs = readdirSync(join(projectRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs];
  const unknown = [...sourceFiles('src', 'workers', 'bench', 'test'), ...documents].flatMap((file) =>
    [...citedRules(read(file))].filter((rule) => !rules.has(rule)).map((rule) => `${file}: ${rule}`),
  );
  assert.deepEqual(unknown, []);
});

test('every section that code or tests cite exists', () => {
  const headings = new Set([...httpApi.matchAll(/^#+ ([0-9]+(?:\.[0-9]+)?)[. ]/gm)].map(([, id]) => id));
  const unknown = sourceFiles('src', 'workers', 'bench', 'test').flatMap((file) =>
    citedSections(read(file))
      .filter((section) => !headings.has(section))
      .map((section) => `${file}: http-api ${section}`),
  );
  assert.deepEqual(unknown, []);
});

test('the rules that no test cites are listed, each with a reason', (context) => {
  const cited = new Set(sourceFiles('test').flatMap((file) => [...citedRules(read(file))]));
  const untested = [...rules].filter((rule) => !cited.has(rule)).sort();
  context.diagnostic(`no test cites ${untested.join(', ')}`);
  const listed = [...untestedSection().matchAll(/^\| ([CFGLPRT]-\d+) \| *(\S.*\S) *\|$/gm)];
  assert.deepEqual(listed.map((match) => match[1]!).sort(), untested);
});

test('files that the documents name exist', () => {
  const named = [...httpApi.matchAll(/`((?:src|test|docs|workers|bench)\/[\w./-]+)`/g)].map(
    (match) => match[1]!,
  );
  assert.deepEqual(
    named.filter((file) => !existsSync(join(projectRoot, file))),
    [],
  );
});

test('the table of error codes is that of the server', () => {
  const table = section('### 1.10 Errors', '### 1.11');
  const rows = [...table.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)];
  const documented = rows.flatMap(([, status, codes]) =>
    [...codes!.matchAll(/`([a-z-]+)`/g)].map(([, code]) => `${status} ${code}`),
  );
  const built = errorCodes
    .filter((code) => !START_ONLY.includes(code))
    .map((code) => `${statusOfCode(code)} ${code}`);
  assert.deepEqual(documented.sort(), built.sort());
});

test('the settings that docs/http-api.md names exist', () => {
  const flags = new Set(Object.values(settings).map(({ flag }) => flag));
  const named = [...httpApi.matchAll(/`--([a-z][a-z-]*)/g)].map((match) => match[1]!);
  assert.deepEqual(
    named.filter((flag) => !flags.has(flag)),
    [],
  );
});

/** Rules by their numbers; `R-10 to R-15` cites all six. */
function citedRules(text: string): Set<string> {
  const cited = new Set([...text.matchAll(/\b[CFGLPRT]-\d+\b/g)].map(([rule]) => rule));
  for (const [, first, from, last, to] of text.matchAll(/\b([CFGLPRT])-(\d+) to ([CFGLPRT])-(\d+)\b/g)) {
    if (first !== last) continue;
    for (let number = Number(from); number <= Number(to); number++) cited.add(`${first}-${number}`);
  }
  return cited;
}

/** The section numbers that follow `http-api` or `http-api section`. */
function citedSections(text: string): string[] {
  return [...text.matchAll(/http-api (?:section )?(\d+(?:\.\d+)?(?:(?:, | to )\d+(?:\.\d+)?)*)/g)].flatMap(
    ([, list]) => list!.split(/, | to /),
  );
}

function specification(): string {
  return httpApi.slice(0, httpApi.indexOf(UNTESTED));
}

function untestedSection(): string {
  return section(UNTESTED, '## Annex A');
}

function section(from: string, to: string): string {
  const start = httpApi.indexOf(from);
  const end = httpApi.indexOf(to, start);
  assert.ok(start >= 0 && end > start, from);
  return httpApi.slice(start, end);
}

/** All but this file, which has examples of citations. */
function sourceFiles(...folders: string[]): string[] {
  return folders
    .flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter(
      (file) => file.endsWith('.ts') && !file.includes('node_modules') && !file.startsWith('test/docs/'),
    )
    .sort();
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}
