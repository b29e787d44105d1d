import { failure, type Result } from '../../../errors.ts';
import type { SparqlToken } from '../token.ts';
import { sparqlTokens } from '../tokens.ts';
import { type Evaluate, namedGraphs } from './seen-data.ts';
import { closingAt, endOf, isWord, type Splice, spliced } from './splice.ts';

/**
 * A group is copied for each graph. Oxigraph needs 0.2 ms for each copy, and its stack overflows at
 * some thousands.
 */
export const MAX_GRAPHS = 1_000;
const MAX_COPIES_LENGTH = 4 * 2 ** 20;

/** `GRAPH ?g { … }`, by the indexes of its tokens. */
interface GraphGroup {
  readonly word: number;
  readonly open: number;
  readonly close: number;
}

/**
 * `GRAPH ?g { … }` evaluates the group in one graph after the other. Oxigraph instead evaluates it
 * once, with ?g as an additional variable of each triple pattern, which is equivalent for most
 * groups. It is not for sub-queries, which lose ?g and mix graphs; for MINUS, which finds ?g on
 * both sides; and for VALUES, which have no ?g. The first two are written out graph by graph; the
 * last is joined with the names of the graphs.
 *
 * Error `unsupported-sparql` if there are too many graphs to write out.
 */
export function withGraphGroups(text: string, evaluate: Evaluate): Result<string> {
  const tokens = sparqlTokens(text);
  const splices: Splice[] = [];
  for (const group of graphGroups(tokens)) {
    const inside = tokens.slice(group.open + 1, group.close);
    if (mixesGraphs(inside, tokens[group.word + 1]!.text)) {
      const copies = writtenOut(text, tokens, group, namedGraphs(text, tokens, evaluate));
      if (!copies.ok) return copies;
      splices.push(copies.value);
    } else if (inside.some((token) => isWord(token, 'VALUES'))) splices.push(joinedWithNames(tokens, group));
  }
  return { ok: true, value: spliced(text, splices) };
}

/** Returns the outermost groups. */
function graphGroups(tokens: readonly SparqlToken[]): GraphGroup[] {
  const groups: GraphGroup[] = [];
  for (let word = 0; word < tokens.length; word++) {
    if (!isWord(tokens[word], 'GRAPH') || tokens[word + 1]?.kind !== 'variable') continue;
    const open = word + 2;
    const close = tokens[open]?.text === '{' ? closingAt(tokens, open) : undefined;
    if (close === undefined) continue;
    groups.push({ word, open, close });
    word = close;
  }
  return groups;
}

/** Whether Oxigraph would combine solutions of different graphs. */
function mixesGraphs(inside: readonly SparqlToken[], graph: string): boolean {
  if (inside.some((token) => isWord(token, 'SELECT'))) return true;
  return inside.some((token, at) => isWord(token, 'MINUS') && sharesOnlyGraph(inside, at, graph));
}

/** Whether the variable of the graph is the only one that both sides of a MINUS share. */
function sharesOnlyGraph(inside: readonly SparqlToken[], minus: number, graph: string): boolean {
  const close = closingAt(inside, minus + 1) ?? minus;
  const removed = variablesOf(inside.slice(minus, close));
  const others = variablesOf([...inside.slice(0, minus), ...inside.slice(close)]);
  return ![...removed].some((name) => name !== graph.slice(1) && others.has(name));
}

function variablesOf(tokens: readonly SparqlToken[]): Set<string> {
  return new Set(tokens.flatMap(({ kind, text }) => (kind === 'variable' ? [text.slice(1)] : [])));
}

function joinedWithNames(tokens: readonly SparqlToken[], { word, close }: GraphGroup): Splice {
  const end = endOf(tokens[close]!);
  return { start: end, end, text: ` GRAPH ${tokens[word + 1]!.text} {}` };
}

function writtenOut(
  text: string,
  tokens: readonly SparqlToken[],
  { word, open, close }: GraphGroup,
  graphs: readonly string[],
): Result<Splice> {
  const variable = tokens[word + 1]!.text;
  const isSubquery = isWord(tokens[open + 1], 'SELECT');
  const start = tokens[word]!.start;
  const end = endOf(tokens[close]!);
  if (graphs.length > MAX_GRAPHS || (end - start) * graphs.length > MAX_COPIES_LENGTH)
    return tooMany(variable, graphs.length);
  const labels = tokens.slice(open + 1, close).filter(({ kind }) => kind === 'label');
  const copies = graphs.map((graph, number) => {
    const inside = spliced(
      text.slice(0, tokens[close]!.start),
      labels.map((label) => ({ start: label.start, end: endOf(label), text: `${label.text}_${number}` })),
    ).slice(endOf(tokens[open]!));
    const group = isSubquery ? `{ ${inside} }` : inside;
    return `{ GRAPH ${graph} { ${group} VALUES ${variable} { ${graph} } } }`;
  });
  const none = `{ VALUES ${variable} {} }`;
  return { ok: true, value: { start, end, text: copies.length === 0 ? none : `{ ${unionOf(copies)} }` } };
}

/** Builds a tree of small depth, because a long chain of UNION exhausts Oxigraph's stack. */
function unionOf(groups: readonly string[]): string {
  if (groups.length === 1) return groups[0]!;
  const half = groups.length >> 1;
  return `{ ${unionOf(groups.slice(0, half))} } UNION { ${unionOf(groups.slice(half))} }`;
}

function tooMany(variable: string, graphs: number): Result<never> {
  return failure(
    'unsupported-sparql',
    `A sub-query or MINUS within GRAPH ${variable} { } is evaluated in one graph after the other. At most ${MAX_GRAPHS} graphs are supported, ` +
      `but there are ${graphs}. Write GRAPH ${variable} { } within the sub-query and select ${variable} there, or name the graphs with FROM NAMED.`,
  );
}
