/** Tests of the kind of terms in a list; false for an empty list (ldpath 8.5). */

import type { TermId } from '../../rdf/model/term-id.ts';
import { isIriTerm } from '../../rdf/model/triple-term.ts';
import type { EvaluationContext } from '../evaluate/context.ts';
import type { TestFunction } from './function.ts';

function listTest(
  name: string,
  claim: string,
  accepts: (context: EvaluationContext, list: readonly TermId[]) => boolean,
): TestFunction {
  return {
    kind: 'test',
    name,
    signature: `fn:${name}(nodes : NodeList) : Boolean`,
    description: `True if ${claim}.`,
    minArguments: 1,
    maxArguments: 1,
    accepts: (context, args) => accepts(context, args[0]!),
  };
}

type IsKind = (text: string) => boolean;

function allOfKind(isKind: IsKind): (context: EvaluationContext, list: readonly TermId[]) => boolean {
  return (context, list) => list.length > 0 && list.every((id) => isKind(context.text(id)));
}

export const termTests: readonly TestFunction[] = [
  listTest('exists', 'there is at least one node, literals included', (_context, list) => list.length > 0),
  listTest('empty', 'there is no node', (_context, list) => list.length === 0),
  listTest('isIri', 'there are nodes, and all are IRIs', allOfKind(isIriTerm)),
  listTest(
    'isLiteral',
    'there are nodes, and all are literals',
    allOfKind((text) => text.startsWith('"')),
  ),
  listTest(
    'isBlank',
    'there are nodes, and all are blank nodes',
    allOfKind((text) => text.startsWith('_')),
  ),
];
