/**
 * Parses programs and single paths: directives, fields and their names (ldpath 1.5, 1.8, 3.6, 3.7).
 */

import { iriError } from '../../rdf/model/iri.ts';
import { predefinedPrefixes } from '../../rdf/model/namespaces.ts';
import { parseTerm } from '../../rdf/model/term.ts';
import { isTransformerType, transformerTypes } from '../compile/transformer-types.ts';
import type * as ast from './ast.ts';
import { ExpressionParser } from './expression-parser.ts';
import { SourceText } from './source-text.ts';
import { didYouMean } from './suggestion.ts';

export interface ParsedProgram {
  readonly source: SourceText;
  readonly program: ast.Program;
  readonly usedPrefixes: ReadonlySet<string>;
  /** Where the declared prefixes are. */
  readonly prefixSpans: ReadonlyMap<string, ast.Span>;
  /** Offset of an unterminated comment, which was taken to reach the end of input (Q-L2). */
  readonly unclosedComment: number | undefined;
}

export interface ParsedPath {
  readonly source: SourceText;
  readonly path: ast.Selector;
  readonly unclosedComment: number | undefined;
}

/**
 * @throws LdPathError with the furthest position reached by a reading
 */
export function parseProgram(text: string, prefixes: Readonly<Record<string, string>>): ParsedProgram {
  const source = new SourceText(text, 'program');
  const parser = new ProgramParser(source, { ...predefinedPrefixes, ...prefixes });
  const program = parser.program();
  const { usedPrefixes, prefixSpans, unclosedComment } = parser;
  return { source, program, usedPrefixes, prefixSpans, unclosedComment };
}

/** Parses a selector and nothing else; one `;` may follow (Q-P13). */
export function parsePath(text: string, prefixes: Readonly<Record<string, string>>): ParsedPath {
  const source = new SourceText(text, 'path');
  const parser = new ExpressionParser(source, { ...predefinedPrefixes, ...prefixes });
  const path = parser.selector();
  if (path === null) throw parser.cursor.error();
  if (parser.cursor.at(';')) parser.cursor.index++;
  if (parser.cursor.take('end', 'end of input') === null) throw parser.cursor.error();
  return { source, path, unclosedComment: parser.cursor.unclosedComment };
}

class ProgramParser {
  readonly prefixSpans = new Map<string, ast.Span>();
  readonly #expressions: ExpressionParser;
  readonly #prefixes = new Map<string, string>();
  readonly #graphs: string[] = [];
  readonly #filters: ast.Test[] = [];
  readonly #fields: ast.Field[] = [];
  #boost: ast.Selector | undefined;

  constructor(source: SourceText, prefixes: Readonly<Record<string, string>>) {
    this.#expressions = new ExpressionParser(source, prefixes);
  }

  get usedPrefixes(): ReadonlySet<string> {
    return this.#expressions.names.usedPrefixes;
  }

  get unclosedComment(): number | undefined {
    return this.#cursor.unclosedComment;
  }

  get #cursor() {
    return this.#expressions.cursor;
  }

  program(): ast.Program {
    while (!this.#cursor.at('end')) this.#statement();
    return {
      prefixes: this.#prefixes,
      graphs: [...new Set(this.#graphs)],
      filters: this.#filters,
      fields: this.#fields,
      ...(this.#boost !== undefined && { boost: this.#boost }),
    };
  }

  #statement(): void {
    switch (this.#cursor.peek().kind) {
      case '@prefix':
        this.#prefixDeclaration();
        break;
      case '@graph':
        this.#graphDeclaration();
        break;
      case '@filter':
        this.#filterDeclaration();
        break;
      case '@boost':
        this.#boostDeclaration();
        break;
      default:
        this.#field();
    }
  }

  /** '@prefix' Name? ':' IRIREF ';'? */
  #prefixDeclaration(): void {
    this.#cursor.index++;
    const { start, end } = this.#cursor.peek();
    const prefix = this.#declaredPrefix();
    const namespace = this.#required(this.#cursor.take('iri', 'a namespace IRI'));
    const error = iriError(namespace.value);
    if (error !== undefined) throw this.#cursor.source.error('parse-error', error, namespace.start);
    this.#expressions.names.declare(prefix, namespace.value);
    this.#prefixes.set(prefix, namespace.value);
    this.prefixSpans.set(prefix, { start, end });
    if (this.#cursor.at(';')) this.#cursor.index++;
  }

  #declaredPrefix(): string {
    const token = this.#cursor.peek();
    if (token.kind === 'fn:') {
      this.#cursor.index++;
      return 'fn';
    }
    const named = token.kind === 'name';
    if (named) this.#cursor.index++;
    else this.#cursor.expect('a prefix');
    this.#required(this.#cursor.take(':'));
    return named ? token.value : '';
  }

  #graphDeclaration(): void {
    do {
      this.#cursor.index++;
      this.#graphs.push(this.#required(this.#expressions.names.iri('a graph IRI')));
    } while (this.#cursor.at(','));
    this.#end();
  }

  #filterDeclaration(): void {
    this.#cursor.index++;
    this.#filters.push(this.#required(this.#expressions.test()));
    this.#end();
  }

  #boostDeclaration(): void {
    const { start } = this.#cursor.peek();
    if (this.#boost !== undefined)
      throw this.#cursor.source.error('parse-error', 'There is a second @boost', start);
    this.#cursor.index++;
    this.#boost = this.#required(this.#expressions.selector());
    this.#end();
  }

  /** Rule <- Name '=' Body End / Iri '=' Body End / Body ';'? */
  #field(): void {
    const { start } = this.#cursor.peek();
    const name = this.#identifierName() ?? this.#iriName();
    const selector = this.#required(this.#expressions.selector());
    const type = this.#type();
    const configuration = this.#configuration() ?? new Map();
    if (name !== null) this.#end();
    const span = { start, end: this.#cursor.lastEnd() };
    if (name === null && this.#cursor.at(';')) this.#cursor.index++;
    const named = name ?? { name: this.#derivedName(selector), naming: 'derived' as const };
    this.#fields.push({ ...named, selector, configuration, ...span, ...(type !== undefined && { type }) });
  }

  #identifierName(): Pick<ast.Field, 'name' | 'naming'> | null {
    const token = this.#cursor.peek();
    const canName = token.kind === 'name' || token.kind === 'is' || token.kind === 'is-a';
    if (!canName || this.#cursor.peek(1).kind !== '=') return null;
    this.#cursor.index += 2;
    return { name: token.value, naming: 'identifier' };
  }

  #iriName(): Pick<ast.Field, 'name' | 'naming'> | null {
    const start = this.#cursor.index;
    const name = this.#expressions.names.iri('a field name');
    if (name !== null && this.#cursor.take('=') !== null) return { name, naming: 'iri' };
    this.#cursor.index = start;
    return null;
  }

  #type(): string | undefined {
    if (this.#cursor.take('::') === null) return undefined;
    const { start } = this.#cursor.peek();
    const type = this.#required(this.#expressions.names.iri('a type'));
    if (isTransformerType(type)) return type;
    const hint = didYouMean(type, transformerTypes);
    throw this.#cursor.source.error('unknown-function', `There is no conversion to <${type}>${hint}`, start);
  }

  /** '(' ( IDENT '=' ConfValue ( ',' ... )? )? ')'; null if something else follows. */
  #configuration(): Map<string, string> | null {
    const start = this.#cursor.index;
    const configuration = this.#cursor.take('(') === null ? null : this.#configurationEntries();
    if (configuration === null) this.#cursor.index = start;
    return configuration;
  }

  #configurationEntries(): Map<string, string> | null {
    const entries = new Map<string, string>();
    while (this.#cursor.at('name')) {
      const key = this.#cursor.take('name')!;
      if (this.#cursor.take('=') === null) return null;
      const value = this.#cursor.take(this.#cursor.at('string') ? 'string' : 'name', 'a value');
      if (value === null) return null;
      entries.set(key.value, value.value);
      if (this.#cursor.take(',') === null) break;
    }
    return this.#cursor.take(')') === null ? null : entries;
  }

  #derivedName(selector: ast.Selector): string {
    switch (selector.kind) {
      case 'property':
        return selector.iri;
      case 'constant':
        return (parseTerm(selector.term) as { value: string }).value;
      case 'path':
        return this.#derivedName(selector.steps[0]!);
      case 'filtered':
        return this.#derivedName(selector.selector);
      case 'closure':
      case 'bounded':
        return this.#derivedName(
          selector.selector.kind === 'group' ? selector.selector.selector : selector.selector,
        );
      default:
        return this.#unnamed(selector);
    }
  }

  #unnamed(selector: ast.Selector): never {
    const message = `No field name can be derived from a ${selector.kind}; write "name = ..."`;
    throw this.#cursor.source.error('parse-error', message, selector.start);
  }

  /** End <- ';' / &EOF (Q-P12) */
  #end(): void {
    if (!this.#cursor.at('end')) this.#required(this.#cursor.take(';'));
  }

  #required<T>(reading: T | null): T {
    if (reading === null) throw this.#cursor.error();
    return reading;
  }
}
