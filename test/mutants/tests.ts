import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

/** TypeScript files below a folder, from the root. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/node_modules|results/.test(file))
    .map((file) => join(folder, file))
    .sort();
}

/** Not about behaviour, or about the benchmarks, or in need of Java. */
const passedOver = /^test\/(?:bench\/|tidy|conformance\/ldp-suite)/;

/** Which tests reach a file of the source, and in which order they are worth a try. */
export class TestFinder {
  /** Files that a file loads or starts. */
  readonly #loads: ReadonlyMap<string, readonly string[]>;
  readonly #distances = new Map<string, ReadonlyMap<string, number>>();
  readonly #tests: readonly string[];

  constructor(root: string) {
    const files = ['src', 'workers', 'bench', 'test'].flatMap((folder) => sourceFiles(root, folder));
    this.#tests = files.filter((file) => file.endsWith('.test.ts') && !passedOver.test(file));
    this.#loads = new Map(files.map((file) => [file, loadedBy(root, file)]));
  }

  /**
   * Tests named like the file come first, then by the number of imports in between, those of the
   * same folder and those that load little before others.
   */
  testsOf(file: string): string[] {
    return this.#tests
      .filter((test) => this.#distancesFrom(test).has(file))
      .map((test) => ({ test, rank: this.#rank(test, file) }))
      .sort((a, b) => a.rank - b.rank || a.test.localeCompare(b.test))
      .map(({ test }) => test);
  }

  #rank(test: string, file: string): number {
    if (isNamedLike(test, file)) return 0;
    const distances = this.#distancesFrom(test);
    const elsewhere = folderOf(test) === folderOf(file) ? 0 : 2;
    return distances.get(file)! + elsewhere + distances.size / 1000;
  }

  #distancesFrom(test: string): ReadonlyMap<string, number> {
    const known = this.#distances.get(test);
    if (known) return known;
    const distances = new Map([[test, 0]]);
    for (const [file, distance] of distances) {
      for (const next of this.#loads.get(file) ?? []) {
        if (!distances.has(next)) distances.set(next, distance + 1);
      }
    }
    this.#distances.set(test, distances);
    return distances;
  }
}

/**
 * All files that a file names, other than for their types: imports, URLs of worker threads, and the
 * entry files of processes, which are named from the root.
 */
function loadedBy(root: string, file: string): string[] {
  if (file === 'src/pool/threads/worker-url.ts') return ['workers/job.ts', 'workers/store.ts'];
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^(?:im|ex)port type [^;]*;/gm, '');
  return Array.from(text.matchAll(/'([\w./-]+\.ts)'/g), ([, name = '']) =>
    name.startsWith('.') ? relative(root, resolve(root, dirname(file), name)) : name,
  ).filter((name) => existsSync(join(root, name)));
}

/** `test/http/query.test.ts` is named like `src/http/query.ts`. */
function isNamedLike(test: string, file: string): boolean {
  return basename(test, '.test.ts') === basename(file, '.ts') && folderOf(test) === folderOf(file);
}

/** The folder within `src` that a test mirrors, or that a file of the source is in. */
function folderOf(file: string): string {
  return dirname(file).replace(/^(?:src|test)\/?/, '');
}
