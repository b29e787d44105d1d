import { isIri } from '../../../rdf/model/iri.ts';
import { formatLiteral, type Term, tagOf } from '../../../rdf/model/term.ts';
import type { EvaluationContext } from '../../evaluate/context.ts';
import type { JavaPattern } from '../../regex/pattern.ts';
import { singleText } from '../argument.ts';
import { compilePattern } from '../compile-pattern.ts';
import type { SelectorFunction } from '../function.ts';
import { expandReplacement, parseReplacement, type Replacement } from './replacement.ts';

/** See ldpath 5.8 and Q-F11. */
export const replace: SelectorFunction = {
  kind: 'selector',
  name: 'replace',
  signature: 'fn:replace(nodes : NodeList, pattern : String, replacement : String) : NodeList',
  description:
    'Replaces every match of a regular expression in literals and IRIs; kind, datatype and language are kept.',
  minArguments: 3,
  maxArguments: 3,
  evaluate: (context, args, _node, into) => {
    const substitution = readSubstitution(context, args[1]!, args[2]!);
    if (substitution === null) return;
    const results = new Set<number>();
    for (const id of args[0]!) {
      const replaced = replaceIn(context, context.term(id), substitution);
      if (replaced !== null) results.add(context.intern(replaced));
    }
    for (const id of results) into.push(id);
  },
};

interface Substitution {
  readonly pattern: JavaPattern;
  readonly replacement: Replacement;
}

function readSubstitution(
  context: EvaluationContext,
  patternList: readonly number[],
  replacementList: readonly number[],
): Substitution | null {
  const source = singleText(context, 'replace', patternList);
  const text = singleText(context, 'replace', replacementList);
  const pattern = source === null || text === null ? null : compilePattern(context, 'replace', source);
  if (pattern === null) return null;
  const replacement = parseReplacement(text!, pattern.groupCount, pattern.groupNames);
  if (replacement === null) {
    context.warn('fn:replace got a replacement that refers to a group that does not exist');
    return null;
  }
  return { pattern, replacement };
}

/**
 * Returns canonical N-Triples; null for blank nodes and triple terms, and if the result for an IRI
 * would not be an IRI.
 */
function replaceIn(context: EvaluationContext, term: Term, substitution: Substitution): string | null {
  context.read(term.value);
  if (term.kind === 'blank' || term.kind === 'triple') return null;
  const value = replaceText(context, term.value, substitution);
  if (term.kind === 'literal') return formatLiteral(value, term.datatype, tagOf(term));
  if (isIri(value)) return `<${value}>`;
  context.warn(`fn:replace would turn <${term.value}> into something that is not an IRI`);
  return null;
}

function replaceText(
  context: EvaluationContext,
  text: string,
  { pattern, replacement }: Substitution,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index, groups } of pattern.matches(text, context)) {
    const expanded = expandReplacement(replacement, groups);
    context.spendText(expanded.length + index - from);
    parts.push(text.slice(from, index), expanded);
    from = index + groups[0]!.length;
  }
  context.spendText(text.length - from);
  parts.push(text.slice(from));
  return parts.join('');
}
