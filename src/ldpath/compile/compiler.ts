/**
 * Compiles source text to closures over term ids. The result does not belong to a graph: its
 * constants are looked up when it is bound to a graph, and again only when the graph changes.
 */

import { type Piece, piece } from '../../base/bytes/writer.ts';
import { type Prefixes, predefinedPrefixes } from '../../rdf/model/namespaces.ts';
import type { PathGraph } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';
import type { Site } from '../evaluate/context.ts';
import type * as ast from '../syntax/ast.ts';
import { parsePath, parseProgram } from '../syntax/parser.ts';
import type { SourceText } from '../syntax/source-text.ts';
import type { Accept, CompiledSelector, CompileScope, Select } from './compiled-program.ts';
import { compileInverse, compileSelector } from './selectors.ts';
import { compileTest } from './tests.ts';
import { pathWarnings, programWarnings, type Warning } from './warnings.ts';

export interface CompileOptions {
  /**
   * Override the ten predefined prefixes; `@prefix` in a program overrides both. Namespaces are
   * absolute IRIs.
   */
  readonly prefixes: Readonly<Record<string, string>>;
}

export interface CompiledPath {
  readonly constants: Constants;
  readonly select: Select;
  readonly site: Site;
  readonly warnings: readonly Warning[];
}

export interface CompiledProgram {
  readonly constants: Constants;
  /**
   * One per name, in the order of declaration; among several with the same name, the last (Q-E6).
   */
  readonly fields: readonly CompiledField[];
  /** IRIs; empty if there is no restriction. */
  readonly graphs: readonly string[];
  readonly filter: Accept | undefined;
  readonly boost: Select | undefined;
  readonly warnings: readonly Warning[];
}

export interface CompiledField {
  readonly name: string;
  /** The name as JSON, with a colon after it, in UTF-8. */
  readonly key: Piece;
  readonly select: Select;
  /** IRI of the transformer; undefined to leave the terms as they are. */
  readonly type: string | undefined;
  /** What the program says for a search index, by its key (ldpath 3.6). */
  readonly configuration: ReadonlyMap<string, string>;
  readonly site: Site;
}

/** @throws LdPathError parse-error, unknown-prefix, unknown-function, bad-arguments */
export function compilePath(source: string, options: CompileOptions): CompiledPath {
  const parsed = parsePath(source, options.prefixes);
  const scope = new Scope(parsed.source, { ...predefinedPrefixes, ...options.prefixes });
  const { select } = scope.selector(parsed.path);
  return {
    constants: scope.constants,
    select,
    site: scope.site(parsed.path),
    warnings: pathWarnings(parsed),
  };
}

/** @throws LdPathError parse-error, unknown-prefix, unknown-function, bad-arguments */
export function compileProgram(source: string, options: CompileOptions): CompiledProgram {
  const parsed = parseProgram(source, options.prefixes);
  const { program } = parsed;
  const declared = Object.fromEntries(program.prefixes);
  const scope = new Scope(parsed.source, { ...predefinedPrefixes, ...options.prefixes, ...declared });
  const filters = program.filters.map((test) => scope.test(test));
  return {
    constants: scope.constants,
    fields: lastOfEachName(program.fields).map((field) => compileField(field, scope)),
    graphs: program.graphs,
    filter:
      filters.length === 0
        ? undefined
        : (context, node) => filters.every((accepts) => accepts(context, node)),
    boost: program.boost && scope.selector(program.boost).select,
    warnings: programWarnings(parsed),
  };
}

function compileField(field: ast.Field, scope: Scope): CompiledField {
  return {
    name: field.name,
    key: piece(`${JSON.stringify(field.name)}:`),
    select: scope.selector(field.selector).select,
    type: field.type,
    configuration: field.configuration,
    site: scope.site(field),
  };
}

function lastOfEachName(fields: readonly ast.Field[]): ast.Field[] {
  const last = new Map(fields.map((field) => [field.name, field]));
  return fields.filter((field) => last.get(field.name) === field);
}

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

class Scope implements CompileScope {
  readonly constants = new Constants();
  readonly #source: SourceText;
  readonly #prefixes: Prefixes;

  constructor(source: SourceText, prefixes: Prefixes) {
    this.#source = source;
    this.#prefixes = prefixes;
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
