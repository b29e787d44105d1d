import type { Prefixes } from '../../rdf/model/namespaces.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Site } from '../evaluate/context.ts';
import type * as ast from '../syntax/ast.ts';
import type { SourceText } from '../syntax/source-text.ts';
import type { Accept, CompiledSelector, CompileScope } from './compiled-program.ts';
import { compileInverse, compileSelector } from './selectors.ts';
import { compileTest } from './tests.ts';

/** The constant terms of a program. */
export class Constants {
  readonly texts: string[] = [];
  readonly #slots = new Map<string, number>();
  #boundTo: number | undefined;
  #ids: readonly TermId[] = [];

  add(text: string): number {
    const known = this.#slots.get(text);
    if (known !== undefined) return known;
    const slot = this.texts.push(text) - 1;
    this.#slots.set(text, slot);
    return slot;
  }

  /**
   * Returns the ids in a graph, by slot; `serial` distinguishes graphs without keeping them alive.
   */
  ids(graph: PathGraph, serial: number): readonly TermId[] {
    if (this.#boundTo !== serial) {
      this.#ids = this.texts.map((text) => graph.find(text));
      this.#boundTo = serial;
    }
    return this.#ids;
  }
}

/** Compiles the parts of one text. */
export class Scope implements CompileScope {
  readonly constants = new Constants();
  readonly #source: SourceText;
  readonly #prefixes: Prefixes;

  constructor(source: SourceText, prefixes: Prefixes) {
    this.#source = source;
    this.#prefixes = prefixes;
  }

  /** `_field`: name of the field whose whole selector this is; `@boost` for that of `@boost`. */
  root(_field: string, selector: ast.Selector): CompiledSelector {
    return this.selector(selector);
  }

  /** Compiles the test of `@filter`. */
  filter(test: ast.Test): Accept {
    return this.test(test);
  }

  selector(selector: ast.Selector): CompiledSelector {
    return compileSelector(selector, this);
  }

  inverse(selector: ast.Selector): CompiledSelector {
    return compileInverse(selector, this);
  }

  test(test: ast.Test): Accept {
    return compileTest(test, this);
  }

  constant(text: string): number {
    return this.constants.add(text);
  }

  /**
   * Copies the offsets: a reference to the node would keep the tree alive as long as the program.
   */
  site({ start, end }: ast.Span): Site {
    return { source: this.#source, prefixes: this.#prefixes, span: { start, end } };
  }
}
