import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Checkout, cacheFolder, checkedOut } from '../checkout.ts';

const rdfTests: Checkout = {
  repository: 'https://github.com/w3c/rdf-tests',
  commit: 'ad541a5f0479f0798608c4801369d97b8e08b36f',
  folder: 'rdf',
};
const jsonLdTests: Checkout = {
  repository: 'https://github.com/w3c/json-ld-api',
  commit: '92f07705a0c0ac27aa9bc6fe1322dcc9fad0114d',
  folder: 'tests',
};

/** Folders of the W3C suites. A suite that git could not fetch is undefined. */
export interface FoundSuites {
  /** `rdf` of w3c/rdf-tests. */
  readonly rdf: string | undefined;
  /** `tests` of w3c/json-ld-api. */
  readonly jsonLd: string | undefined;
  /** Shown in messages and reports. */
  readonly source: string;
}

/**
 * Checkouts that RDF_TESTS and JSON_LD_TESTS name, or those that are fetched once from GitHub into
 * a folder that git ignores.
 */
export async function findSuites(): Promise<FoundSuites> {
  const rdf = await find('RDF_TESTS', 'rdf', rdfTests);
  const jsonLd = await find('JSON_LD_TESTS', 'json-ld-api', jsonLdTests);
  const source = `w3c/rdf-tests ${revision(rdfTests)} and w3c/json-ld-api ${revision(jsonLdTests)}`;
  return { rdf, jsonLd, source };
}

function find(variable: string, name: string, checkout: Checkout): Promise<string | undefined> {
  const given = process.env[variable];
  if (given === undefined) return checkedOut(cacheFolder(`format-suites/${name}`), checkout);
  const folder = join(given, checkout.folder);
  if (!existsSync(folder)) throw new Error(`${variable} names no checkout: ${folder} is missing.`);
  return Promise.resolve(folder);
}

function revision({ commit }: Checkout): string {
  return commit.slice(0, 7);
}
