/**
 * Links between documents lead somewhere, and so do the rules of the language that code and tests
 * cite.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { projectRoot } from '../support/project.ts';

const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'bench/README.md',
  ...['docs', 'test'].flatMap((folder) => filesIn(folder, '.md')),
];

/** It names files that have been deleted since. */
const recordOfARun = 'docs/mutants.md';

function filesIn(folder: string, ending: string): string[] {
  return readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending) && !file.includes('node_modules'))
    .map((file) => join(folder, file))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}

/** Without what is code, in which brackets mean something else. */
function prose(file: string): string {
  return read(file)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, '');
}

/** Targets that are not URLs. */
function relativeLinks(file: string): string[] {
  return Array.from(prose(file).matchAll(/\]\(([^()\s]+)\)/g), ([, target]) => target!).filter(
    (target) => !/^[a-z]+:/.test(target),
  );
}

/** The anchors that GitHub gives to headings. */
function anchorsOf(file: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const text = read(file).replace(/^```[\s\S]*?^```$/gm, '');
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const slug = heading!
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let i = 1; anchors.has(anchor); i++) anchor = `${slug}-${i}`;
    anchors.add(anchor);
  }
  return anchors;
}

const folderName = /`((?:src|workers|test|bench|docs)\/[\w./-]*)\/`/g;

/** The folders in the first column of the map. */
function mappedFolders(): string[] {
  const rows = read('ARCHITECTURE.md').matchAll(/^\| (`[\w/]+\/`[^|]*) \|/gm);
  return [...rows].flatMap(([, cell]) =>
    Array.from(cell!.matchAll(/`([\w/-]+)\/`/g), ([, name]) => `src/${name}`),
  );
}

/** Why a link leads nowhere; undefined if it leads somewhere. */
function fault(file: string, target: string): string | undefined {
  const [path, anchor] = target.split('#') as [string, string?];
  const place = path === '' ? file : relative(projectRoot, resolve(projectRoot, dirname(file), path));
  if (!existsSync(join(projectRoot, place))) return `${file}: there is no ${place}`;
  if (anchor === undefined || anchorsOf(place).has(anchor)) return undefined;
  return `${file}: ${place} has no heading #${anchor}`;
}

describe('documents', () => {
  for (const file of documents) {
    it(`${file} has no dead link`, () => {
      const faults = relativeLinks(file).map((target) => fault(file, target));
      assert.deepEqual(
        faults.filter((one) => one !== undefined),
        [],
      );
    });
  }

  it('name source files that exist', () => {
    const files = ['src', 'workers', 'test', 'bench', 'console', 'scripts'].flatMap((folder) =>
      filesIn(folder, '.ts'),
    );
    const current = documents.filter((file) => file !== recordOfARun);
    const named = current.flatMap((file) =>
      Array.from(read(file).matchAll(/`([\w./-]+\.ts)`/g), ([, name]) => ({ file, name: name! })),
    );
    assert.ok(named.length > 100);
    assert.deepEqual(
      named.filter(({ name }) => !files.some((path) => `/${path}`.endsWith(`/${name}`))),
      [],
    );
  });

  it('name folders that exist', () => {
    const current = documents.filter((file) => file !== recordOfARun && file !== 'CHANGELOG.md');
    const named = current.flatMap((file) => Array.from(read(file).matchAll(folderName), ([, name]) => name!));
    const mapped = mappedFolders();
    assert.ok(named.length > 10);
    assert.ok(mapped.length > 30);
    const missing = [...named, ...mapped].filter((name) => !existsSync(join(projectRoot, name)));
    // Results of runs are not in git.
    assert.deepEqual(
      missing.filter((name) => !name.endsWith('/results')),
      [],
    );
  });

  it('have links, which this test finds', () => {
    assert.ok(relativeLinks('README.md').includes('docs/ldpath.md'));
    assert.match(fault('README.md', 'docs/nothing.md') ?? '', /there is no docs\/nothing\.md/);
    assert.match(fault('README.md', 'docs/ldpath.md#nothing') ?? '', /no heading #nothing/);
    assert.equal(fault('docs/ldpath.md', '../README.md#two-commands'), undefined);
  });
});

describe('docs/ldpath.md', () => {
  const specification = read('docs/ldpath.md');
  const sections = new Set(
    Array.from(specification.matchAll(/^#+ (\d+(?:\.\d+)?)\.? /gm), ([, number]) => number!),
  );
  const rules = new Set(Array.from(specification.matchAll(/^\| (Q-[A-Z]\d+[a-z]?) \|/gm), ([, id]) => id!));
  const sources = ['src', 'workers', 'test', 'bench'].flatMap((folder) => filesIn(folder, '.ts'));
  const citing = [...sources, ...documents].filter((file) => !file.startsWith('test/docs/'));

  it('has every section that is cited', () => {
    const cited = citing.flatMap((file) =>
      Array.from(read(file).matchAll(/\bldpath (\d[\d.,\s-]*)/g)).flatMap(([, numbers]) =>
        Array.from(numbers!.matchAll(/\d+(?:\.\d+)?/g), ([number]) => ({ file, number })),
      ),
    );
    assert.ok(cited.length > 50);
    assert.deepEqual(
      cited.filter(({ number }) => !sections.has(number)),
      [],
    );
  });

  it('has every rule that is cited', () => {
    const cited = citing.flatMap((file) =>
      Array.from(read(file).matchAll(/\bQ-[A-Z]\d+[a-z]?\b/g), ([id]) => ({ file, id })),
    );
    assert.ok(cited.length > 100);
    assert.deepEqual(
      cited.filter(({ id }) => !rules.has(id)),
      [],
    );
  });
});
