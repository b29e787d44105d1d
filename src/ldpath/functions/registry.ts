/** All functions of the language. To add a module of functions, list it here. */
import { collectionFunctions } from './collections.ts';
import { coreFunctions } from './core.ts';
import { dateFunctions } from './date.ts';
import type { LdPathFunction, SelectorFunction, TestFunction } from './function.ts';
import { htmlFunctions } from './html.ts';
import { jsonFunctions } from './json.ts';
import { listFunctions } from './lists.ts';
import { mathFunctions } from './math.ts';
import { numericTests } from './numeric-tests.ts';
import { stringTests } from './string-tests.ts';
import { termFunctions } from './term-functions.ts';
import { termTests } from './term-tests.ts';
import { textFunctions } from './text.ts';
import { xmlFunctions } from './xml.ts';

const modules: readonly (readonly LdPathFunction[])[] = [
  coreFunctions,
  listFunctions,
  collectionFunctions,
  termFunctions,
  textFunctions,
  mathFunctions,
  dateFunctions,
  htmlFunctions,
  jsonFunctions,
  xmlFunctions,
  numericTests,
  stringTests,
  termTests,
];

/** All functions, sorted by name in code point order. */
export const allFunctions: readonly LdPathFunction[] = modules
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Selector and test functions have separate registries (ldpath 2.2). */
export const selectorFunctions: ReadonlyMap<string, SelectorFunction> = new Map(
  allFunctions.filter((f) => f.kind === 'selector').map((f) => [f.name, f]),
);

export const testFunctions: ReadonlyMap<string, TestFunction> = new Map(
  allFunctions.filter((f) => f.kind === 'test').map((f) => [f.name, f]),
);
