import { compileAffected } from '../../ldpath/affected/affected-plan.ts';
import {
  type CompiledPath,
  type CompiledProgram,
  compilePath,
  compileProgram,
} from '../../ldpath/compile/compiler.ts';
import type { Selection, Traceability } from '../evaluation-request.ts';
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

  /** Analyses a program. Errors: those of compilation. */
  traceability({ source, namespaces }: Selection): Traceability {
    return compileAffected(source, undefined, { prefixes: this.#prefixesWith(namespaces) }).incremental;
  }

  #prefixesWith(namespaces: Selection['namespaces']): Readonly<Record<string, string>> {
    return namespaces === undefined ? this.#prefixes : { ...this.#prefixes, ...namespaces };
  }

  #compileAnew({ mode, source, namespaces }: Selection): Compiled {
    const prefixes = this.#prefixesWith(namespaces);
    return mode === 'path'
      ? { mode, path: compilePath(source, { prefixes }) }
      : { mode, program: compileProgram(source, { prefixes }) };
  }
}
