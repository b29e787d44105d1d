import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { seededRandom } from '../../bench/data/person-data.ts';
import type { Compiler } from './compiler.ts';
import { type Mutation, mutationsOf } from './mutations.ts';

export interface Mutant extends Mutation {
  /** From the root of the project. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  readonly original: string;
}

export interface Selection {
  readonly mutants: readonly Mutant[];
  /** How many the compiler refused on the way. */
  readonly refused: number;
}

interface Site {
  readonly file: string;
  readonly text: string;
  readonly mutation: Mutation;
}

/**
 * Selects mutants that pass the type check, the same ones for the same seed and source. A file's
 * chance is the square root of its number of possible changes, so tables of numbers do not
 * dominate.
 */
export function selectMutants(
  root: string,
  files: readonly string[],
  compiler: Compiler,
  { seed, count }: { seed: number; count: number },
): Selection {
  const order = shuffled(sitesOf(root, files, compiler), seededRandom(seed));
  const mutants: Mutant[] = [];
  let refused = 0;
  for (const site of order) {
    if (mutants.length === count) break;
    if (compiler.accepts(site.file, mutated(site.text, site.mutation))) mutants.push(describe(site));
    else refused++;
  }
  return { mutants, refused };
}

/** The text with the change made. */
export function mutated(text: string, { start, end, replacement }: Mutation): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

function sitesOf(root: string, files: readonly string[], compiler: Compiler): Site[][] {
  return files.map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return mutationsOf(compiler.parse(file)).map((mutation) => ({ file, text, mutation }));
  });
}

/** By weighted random keys: a site's weight is such that those of a file add up to the file's. */
function shuffled(files: readonly (readonly Site[])[], random: () => number): Site[] {
  return files
    .flatMap((sites) => sites.map((site) => ({ site, key: -Math.log(random()) * Math.sqrt(sites.length) })))
    .sort((a, b) => a.key - b.key)
    .map(({ site }) => site);
}

function describe({ file, text, mutation }: Site): Mutant {
  return {
    ...mutation,
    file,
    line: text.slice(0, mutation.start).split('\n').length,
    original: text.slice(mutation.start, mutation.end),
  };
}
