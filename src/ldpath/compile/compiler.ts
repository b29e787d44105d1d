/**
 * Compiles source text to closures over term ids. The result does not belong to a graph: its
 * constants are looked up when it is bound to a graph, and again only when the graph changes.
 */

import { type Piece, piece } from '../../base/bytes/writer.ts';
import { type Prefixes, predefinedPrefixes } from '../../rdf/model/namespaces.ts';
import type { Site } from '../evaluate/context.ts';
import type * as ast from '../syntax/ast.ts';
import { parsePath, parseProgram } from '../syntax/parser.ts';
import type { SourceText } from '../syntax/source-text.ts';
import type { Accept, Select } from './compiled-program.ts';
import { type Constants, Scope } from './scope.ts';
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

type NewScope = (source: SourceText, prefixes: Prefixes) => Scope;

/**
 * `newScope`: makes the parts; a scope of its own kind may watch them.
 *
 * @throws LdPathError parse-error, unknown-prefix, unknown-function, bad-arguments
 */
export function compileProgram(
  source: string,
  options: CompileOptions,
  newScope: NewScope = plainScope,
): CompiledProgram {
  const parsed = parseProgram(source, options.prefixes);
  const { program } = parsed;
  const declared = Object.fromEntries(program.prefixes);
  const scope = newScope(parsed.source, { ...predefinedPrefixes, ...options.prefixes, ...declared });
  const filters = program.filters.map((test) => scope.filter(test));
  return {
    constants: scope.constants,
    fields: lastOfEachName(program.fields).map((field) => compileField(field, scope)),
    graphs: program.graphs,
    filter:
      filters.length === 0
        ? undefined
        : (context, node) => filters.every((accepts) => accepts(context, node)),
    boost: program.boost && scope.root('@boost', program.boost).select,
    warnings: programWarnings(parsed),
  };
}

function plainScope(source: SourceText, prefixes: Prefixes): Scope {
  return new Scope(source, prefixes);
}

function compileField(field: ast.Field, scope: Scope): CompiledField {
  return {
    name: field.name,
    key: piece(`${JSON.stringify(field.name)}:`),
    select: scope.root(field.name, field.selector).select,
    type: field.type,
    configuration: field.configuration,
    site: scope.site(field),
  };
}

function lastOfEachName(fields: readonly ast.Field[]): ast.Field[] {
  const last = new Map(fields.map((field) => [field.name, field]));
  return fields.filter((field) => last.get(field.name) === field);
}
