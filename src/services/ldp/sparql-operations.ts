import { AppError } from '../../errors.ts';
import { parseError } from '../../rdf/errors.ts';
import { positionIn } from '../../sparql/language/position.ts';
import { type SparqlToken, sparqlTokens } from '../../sparql/language/tokens.ts';

/** One operation of an update. */
export interface SparqlOperation {
  readonly form: 'insert-data' | 'delete-data' | 'where';
  readonly tokens: readonly SparqlToken[];
}

/** Operations that follow one another under the same declarations. */
export interface SparqlSegment {
  /** `PREFIX` and `BASE` declarations, all those before as well. */
  readonly declarations: string;
  readonly operations: readonly SparqlOperation[];
}

/** Characters that the declarations of all segments may have together. */
const MAX_DECLARATIONS = 16 * 1024 * 1024;

/** What is no graph pattern, expression or operation on one graph (http-api L-70). */
const unsupported: ReadonlySet<string> = new Set([
  'GRAPH',
  'WITH',
  'USING',
  'SERVICE',
  'LOAD',
  'CLEAR',
  'DROP',
  'CREATE',
  'ADD',
  'COPY',
  'MOVE',
]);

/**
 * Splits an update at the semicolons between its operations. Must be SPARQL for the result to be of use. Errors:
 * `parse-error` where there is no operation, `too-large`.
 */
export function sparqlSegments(source: string): SparqlSegment[] {
  const declarations = new Declarations();
  const segments: { declarations: string; operations: SparqlOperation[] }[] = [];
  let characters = 0;
  for (const { tokens, end } of splitAtSemicolons(sparqlTokens(source), source.length)) {
    const begin = afterDeclarations(tokens);
    const changed = declarations.add(tokens.slice(0, begin));
    const operation = tokens.slice(begin);
    if (operation.length === 0) {
      if (end === source.length && segments.length > 0) break;
      throw parseError('Expected an operation', positionIn(source, end));
    }
    if (changed || segments.length === 0) {
      segments.push({ declarations: declarations.text, operations: [] });
      characters += declarations.text.length;
      if (characters > MAX_DECLARATIONS) throw new AppError('too-large', 'The patch declares too much.');
    }
    segments.at(-1)!.operations.push({ form: formOf(operation), tokens: operation });
  }
  return segments;
}

/** What is declared so far. Programs that are put together declare the same in front of each operation. */
class Declarations {
  text = '';
  #base = '';
  readonly #prefixes = new Map<string, string>();

  /** False when they change nothing. */
  add(tokens: readonly SparqlToken[]): boolean {
    const before = this.text;
    for (let at = 0; at < tokens.length; ) {
      const size = isWord(tokens[at], 'PREFIX') ? 3 : 2;
      const [keyword, ...rest] = tokens.slice(at, at + size).map(({ text }) => text);
      if (size === 3) this.#addPrefix(keyword!, rest[0] ?? '', rest[1] ?? '');
      else this.#addBase(keyword!, rest[0] ?? '');
      at += size;
    }
    return this.text !== before;
  }

  #addPrefix(keyword: string, prefix: string, namespace: string): void {
    if (this.#prefixes.get(prefix) === namespace) return;
    this.#prefixes.set(prefix, namespace);
    this.text += `${keyword} ${prefix} ${namespace}\n`;
  }

  #addBase(keyword: string, base: string): void {
    if (this.#base === base && /^<[A-Za-z][A-Za-z0-9+.-]*:/.test(base)) return;
    this.#base = base;
    // Relative namespaces mean something else from here on.
    this.#prefixes.clear();
    this.text += `${keyword} ${base}\n`;
  }
}

/** Error `unsupported-patch`. */
export function refuseUnsupported(segments: readonly SparqlSegment[]): void {
  for (const { operations } of segments) {
    for (const { kind, text } of operations.flatMap(({ tokens }) => tokens)) {
      const word = text.toUpperCase();
      if (kind !== 'word' || !unsupported.has(word)) continue;
      const message = `${word} is not supported: a patch acts on the triples of its target alone.`;
      throw new AppError('unsupported-patch', message, { source: 'body' });
    }
  }
}

interface Part {
  readonly tokens: readonly SparqlToken[];
  /** Where it ends in the source. */
  readonly end: number;
}

function* splitAtSemicolons(tokens: readonly SparqlToken[], end: number): Generator<Part> {
  let depth = 0;
  let from = 0;
  for (const [index, { kind, text, start }] of tokens.entries()) {
    if (kind !== 'symbol') continue;
    if (text === '{') depth++;
    if (text === '}') depth--;
    if (text !== ';' || depth > 0) continue;
    yield { tokens: tokens.slice(from, index), end: start };
    from = index + 1;
  }
  yield { tokens: tokens.slice(from), end };
}

function afterDeclarations(tokens: readonly SparqlToken[]): number {
  let at = 0;
  for (;;) {
    if (isWord(tokens[at], 'PREFIX')) at += 3;
    else if (isWord(tokens[at], 'BASE')) at += 2;
    else return Math.min(at, tokens.length);
  }
}

function formOf([first, second]: readonly SparqlToken[]): SparqlOperation['form'] {
  if (!isWord(second, 'DATA')) return 'where';
  return isWord(first, 'INSERT') ? 'insert-data' : 'delete-data';
}

function isWord(token: SparqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toUpperCase() === word;
}
