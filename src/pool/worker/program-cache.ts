import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../../ldpath/compile/compiler.ts';
import type { Selection } from '../evaluation-request.ts';
import { SelectionMap } from '../runs/selection-map.ts';

export type Compiled =
  | { readonly mode: 'path'; readonly path: CompiledPath }
  | { readonly mode: 'program'; readonly program: CompiledProgram };

/** Compiles paths and programs, with an LRU cache. */
export class ProgramCache {
  readonly #prefixes: Readonly<Record<string, string>>;
  readonly #programs = new SelectionMap<Compiled>();

  /** `prefixes`: namespaces that every program knows. */
  constructor(prefixes: Readonly<Record<string, string>>) {
    this.#prefixes = prefixes;
  }

  /** Errors: those of compilation. */
  compile(selection: Selection): Compiled {
    const known = this.#programs.get(selection);
    if (known) return known;
    const compiled = this.#compileAnew(selection);
    this.#programs.set(selection, compiled);
    return compiled;
  }

  #compileAnew({ mode, source, namespaces }: Selection): Compiled {
    const prefixes = namespaces === undefined ? this.#prefixes : { ...this.#prefixes, ...namespaces };
    return mode === 'path'
      ? { mode, path: compilePath(source, { prefixes }) }
      : { mode, program: compileProgram(source, { prefixes }) };
  }
}
