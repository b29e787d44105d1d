/** All functions of the language. To add a module of functions, list it here. */

import { coreFunctions } from './core.ts';
import { dateFunctions } from './date/functions.ts';
import type { LdPathFunction, SelectorFunction, TestFunction } from './function.ts';
import { htmlFunctions } from './html/functions.ts';
import { jsonFunctions } from './json/functions.ts';
import { collectionFunctions } from './list/collections.ts';
import { listFunctions } from './list/functions.ts';
import { mathFunctions } from './math/functions.ts';
import { numericTests } from './math/numeric-tests.ts';
import { termFunctions } from './term-functions.ts';
import { termTests } from './term-tests.ts';
import { textFunctions } from './text/functions.ts';
import { stringTests } from './text/string-tests.ts';
import { xmlFunctions } from './xml/functions.ts';

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
