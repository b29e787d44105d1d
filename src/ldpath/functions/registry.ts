/** Every function of the language. To add a module of functions, list it here. */
import { coreFunctions } from './core.ts';
import type { LdPathFunction, SelectorFunction, TestFunction } from './function.ts';

const modules: readonly (readonly LdPathFunction[])[] = [coreFunctions];

/** Sorted by name in code-point order. */
export const allFunctions: readonly LdPathFunction[] = modules
  .flat()
  .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));

/** Selector and test functions are registries of their own (ldpath 2.2). */
export const selectorFunctions: ReadonlyMap<string, SelectorFunction> = new Map(
  allFunctions.filter((f) => f.kind === 'selector').map((f) => [f.name, f]),
);

export const testFunctions: ReadonlyMap<string, TestFunction> = new Map(
  allFunctions.filter((f) => f.kind === 'test').map((f) => [f.name, f]),
);
