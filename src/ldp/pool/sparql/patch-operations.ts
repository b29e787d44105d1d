import { AppError } from '../../../errors.ts';
import { positionIn } from '../../../sparql/language/text-position.ts';
import { firstGraphPart } from '../../../sparql/language/update/graph-parts.ts';
import type { UpdateOperation } from '../../../sparql/language/update/operations.ts';
import { operationsOf, syntaxOf, type UpdateSyntax } from '../../../sparql/language/update/read-update.ts';
import { isSparql12 } from '../../../sparql/language/update/sparql12.ts';
import { syntaxError, UpdateSyntaxError } from '../../../sparql/language/update/syntax-error.ts';

/**
 * Returns the operations of a patch: at least one, and none that names a graph (http-api L-70).
 * Errors: `parse-error` and `unsupported-patch` with line and column, `too-large`.
 */
export function patchOperations(source: string, target: string): UpdateOperation[] {
  const syntax = read(source);
  const { text, tree } = syntax;
  if (tree.updates.every(({ operation }) => !operation)) {
    throw syntaxError('Expected an operation', text, text.length);
  }
  const part = firstGraphPart(syntax);
  if (part) {
    const message = `${part.keyword} is not supported: a patch changes only the triples of its target.`;
    throw unsupported(message, text, part.start);
  }
  return operationsOf(syntax, { baseIri: target, dataset: undefined });
}

function read(source: string): UpdateSyntax {
  try {
    return syntaxOf(source);
  } catch (error) {
    if (!(error instanceof UpdateSyntaxError && isSparql12(error))) throw error;
    const message = 'Triple terms and text direction (RDF 1.2) are not supported.';
    throw unsupported(message, error.text, error.offset);
  }
}

function unsupported(message: string, text: string, offset: number): AppError {
  return new AppError('unsupported-patch', message, { ...positionIn(text, offset), source: 'body' });
}
