import type { SparqlToken } from './token.ts';

const none: ReadonlySet<string> = new Set();

/**
 * Returns the variables that get a computed value from an expression (`AS`): counts, sums,
 * concatenations. Their literals are not those of the data. Variables that only pick a term are
 * excluded: `?a AS ?b`, and SAMPLE, MIN and MAX of a variable.
 */
export function computedVariables(tokens: readonly SparqlToken[]): ReadonlySet<string> {
  const computed = new Set<string>();
  /** By variable name: the variables that pick its term. */
  const picks = new Map<string, string[]>();
  for (let at = 0; at < tokens.length; at++) {
    if (!isAs(tokens[at]!)) continue;
    const target = tokens[at + 1];
    if (target?.kind !== 'variable') continue;
    const source = pickedBefore(tokens, at);
    if (source === undefined) computed.add(nameOf(target));
    else addTo(picks, source, nameOf(target));
  }
  if (computed.size === 0) return none;
  // A variable that picks a computed value is computed too. Iterating over a set includes the
  // elements added meanwhile.
  for (const name of computed) for (const other of picks.get(name) ?? []) computed.add(other);
  return computed;
}

function addTo(picks: Map<string, string[]>, source: string, name: string): void {
  const names = picks.get(source);
  if (names) names.push(name);
  else picks.set(source, [name]);
}

function isAs({ kind, text }: SparqlToken): boolean {
  return kind === 'word' && text.length === 2 && text.toUpperCase() === 'AS';
}

/** Returns the variable that the expression before `AS` picks; undefined for other expressions. */
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
