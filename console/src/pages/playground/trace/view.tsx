import type { Namespaces } from '../../../editor/ldpath/known-names.ts';
import type { Outcome } from '../evaluation.ts';

interface TraceViewProps {
  readonly outcomes: readonly Outcome[];
  readonly known: Namespaces;
}

export function TraceView({ outcomes }: TraceViewProps) {
  return <p>{outcomes.length}</p>;
}
