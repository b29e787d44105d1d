import type { SparqlToken } from './tokens.ts';

const none: ReadonlySet<string> = new Set();

/**
 * The variables that an expression gives a value (`AS`), which no data have as they are: what is
 * counted, added up or put together. Not those that only pick a term: `?a AS ?b`, and SAMPLE, MIN
 * and MAX of a variable.
 */
export function computedVariables(tokens: readonly SparqlToken[]): ReadonlySet<string> {
  const computed = new Set<string>();
  const picked: (readonly [name: string, from: string])[] = [];
  for (let at = 0; at < tokens.length; at++) {
    if (!isAs(tokens[at]!)) continue;
    const target = tokens[at + 1];
    if (target?.kind !== 'variable') continue;
    const source = pickedBefore(tokens, at);
    if (source === undefined) computed.add(nameOf(target));
    else picked.push([nameOf(target), source]);
  }
  if (computed.size === 0) return none;
  // What picks a computed value has one too, and may stand in the text before it.
  for (let size = -1; size !== computed.size; ) {
    size = computed.size;
    for (const [name, from] of picked) if (computed.has(from)) computed.add(name);
  }
  return computed;
}

function isAs({ kind, text }: SparqlToken): boolean {
  return kind === 'word' && text.length === 2 && text.toUpperCase() === 'AS';
}

/** The variable that the expression before `AS` picks; undefined for any other expression. */
function pickedBefore(tokens: readonly SparqlToken[], as: number): string | undefined {
  const last = tokens[as - 1];
  if (last?.kind === 'variable') return isOpen(tokens[as - 2]) ? nameOf(last) : undefined;
  const variable = tokens[as - 2];
  if (last?.text !== ')' || variable?.kind !== 'variable') return undefined;
  const open = /^DISTINCT$/i.test(tokens[as - 3]?.text ?? '') ? as - 4 : as - 3;
  const picks = isOpen(tokens[open]) && /^(?:SAMPLE|MIN|MAX)$/i.test(tokens[open - 1]?.text ?? '');
  return picks && isOpen(tokens[open - 2]) ? nameOf(variable) : undefined;
}

function isOpen(token: SparqlToken | undefined): boolean {
  return token?.text === '(';
}

function nameOf({ text }: SparqlToken): string {
  return text.slice(1);
}
